"""Reporters: consume engine events and print them."""
