"""Filters that encrypt and decrypt with a password given in the playbook."""

from __future__ import annotations

from typing import Any

from jinja2 import Undefined, pass_environment

from pyplay.source.vault import Secret, VaultSecret, VaultSecrets, VaultText, decrypt, encrypt, is_vault_text
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import raise_undefined, type_name
from pyplay.templating.marks import lazy
from pyplay.templating.sealed import Sealed

_LABEL = "filter_default"


def vault(value: Any, secret: Any, salt: Any = None, vault_id: str = _LABEL, wrap_object: Any = False) -> Any:  # noqa: FBT002
    """Give a text encrypted with the password `secret`, as Ansible Vault text.

    A `salt` makes the result the same every time; `vault_id` labels it; `wrap_object` gives a vaulted value, which
    to_yaml can write as `!vault`, instead of text.
    """
    if not isinstance(value, (str, bytes)):
        raise FilterError(f"needs a text, not {type_name(value)}", help="value | to_json | vault(…)")
    password = _password(secret)
    label = str(vault_id)
    data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    text = encrypt(data, VaultSecret(label, password), salt=str(salt).encode() if salt else None)
    return VaultText(text, None, VaultSecrets((VaultSecret(label, password),))) if wrap_object else text


@lazy
@pass_environment
def unvault(environment: Any, value: Any, secret: Any, vault_id: str = _LABEL) -> str:
    """Return the text that Ansible Vault text holds, opened with `secret`; other text comes back as it is.

    What was opened is never shown, and it is data: a template in it is not evaluated.
    """
    del vault_id  # a label tells passwords apart; here is only one
    if isinstance(value, Undefined):
        raise_undefined(value)
    if isinstance(value, Sealed):
        value = value.text
    if isinstance(value, VaultText):
        value = str.__str__(value)
    if not isinstance(value, str):
        raise FilterError(f"needs a text, not {type_name(value)}")
    if isinstance(value, Secret) or not is_vault_text(value):
        return str(value)
    try:
        data = decrypt(value, _password(secret))
    except ValueError as error:
        raise FilterError(f"{error}") from error
    if data is None:
        raise FilterError("the password does not open it")
    text = data.decode("utf-8", "surrogateescape")
    owner = getattr(environment, "owner", None)  # an environment of others has none
    if owner is not None:
        owner.secrets.add(text)
    return text


def _password(secret: Any) -> bytes:
    if not isinstance(secret, (str, bytes)):
        raise FilterError(f"needs a password that is text, not {type_name(secret)}")
    return secret.encode() if isinstance(secret, str) else secret
