"""Writes what other programs read: tables for spreadsheets and learning platforms, and the marks handed on so far."""
