"""The report as one page of HTML: everything is in the file, nothing is fetched.

page.py     what stands on it, and in which order
opening.py  the sentences above the first figure
markup.py   sheets and figures as HTML
page.css    how it looks, on paper, a screen and a phone, light and dark
page.js     sorting of tables
"""
