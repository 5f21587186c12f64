"""Precedence layers, magic variables, the facts store and its log."""
