"""su: how it is called, how it asks, how it says no. Source: su(1) of util-linux and of shadow, BusyBox."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from pyplay.connection.base import wrong_password
from pyplay.diagnostics.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.connection.base import BecomeOptions

# "Password" as su's translations say it; what follows is a colon, ASCII or full width.
WORDS = (
    "password|passwort|kennwort|mot de passe|contraseña|contrasenya|senha|palavra-passe|parola|wachtwoord|adgangskode|"
    "lösenord|passord|salasana|hasło|heslo|geslo|lozinka|jelszó|parolă|parolă|şifre|пароль|парола|пароль|лозинка|"
    "κωδικός|סיסמה|كلمة السر|密码|密碼|パスワード|암호|mật khẩu|sandi|parole|slaptažodis|parool|pasfhocal|pasvorto"
)
PROMPT = late_pattern(rf"(?:{WORDS})[^\n]{{0,40}}[:：]\s*$", re.IGNORECASE)  # noqa: RUF001  # full width on purpose
FAILED = re.compile(
    rb"(?i)authentication fail|incorrect password|permission denied|sorry|authentication token|fehlgeschlagen|"
    rb"(?:^|\n)su: .*(?:\xc3\xa9chec|fallo|errore|\xe5\xa4\xb1\xe8\xb4\xa5)"
)


class Su:
    """`su USER -s SHELL -c LINE`. It reads the password from standard input where it can, else from a terminal."""

    name = "su"
    pty = False

    def command(self, options: BecomeOptions, argv: Sequence[str], key: str) -> list[str]:  # noqa: ARG002  # su has its own prompt
        """Give su's words; the line is quoted for a POSIX shell, which -s names whatever the account's shell is."""
        flags = shlex.split(options.flags) if options.flags else []
        shell = [] if {"-s", "--shell", "-", "-l", "--login"} & set(flags) else ["-s", "/bin/sh"]
        return [*shlex.split(options.exe or "su"), *flags, *shell, options.user, "-c", "exec " + shlex.join(argv)]

    def asks(self, said: bytes, key: str) -> bool:  # noqa: ARG002  # as above
        """A line that ends in the word for password and a colon."""
        return PROMPT.search(said.decode("utf-8", "replace").lower()) is not None

    def refusal(self, said: bytes) -> str | None:
        """What su prints when it will not."""
        if re.search(rb"(?i)does not exist|unknown (?:id|user|login)|no passwd entry", said):
            return "the user does not exist there"
        if FAILED.search(said):
            return f"{wrong_password(self.name)}; or su does not allow it"
        return None

    def wants_pty(self, said: bytes) -> bool:
        """Older ones insist on a terminal."""
        return re.search(rb"(?i)must be run from a terminal|not a tty|standard in must be a tty", said) is not None
