"""Soft agreement against people and against codes: experts judge pairs of texts, codes stand beside them."""
