"""Pictures of the report, drawn as plain SVG from typed data. Colours come from classes, so themes and print work."""
