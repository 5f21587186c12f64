"""Mirrors of providers: a static web site of indexes, hashes and archives that Terraform installs from."""
