"""Names that older Pythons lacked."""
