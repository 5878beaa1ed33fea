"""Two texts of the rules, compared by what they print and by what they mean."""
