"""Thin: shows views, asks for moves. No rule, no protocol decision."""
