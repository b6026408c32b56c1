"""Regions of all raters as pictures: shapes on a canvas of the image's size, strips along time or text."""
