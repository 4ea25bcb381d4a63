"""The report as one page of HTML: everything is in the file, nothing is fetched.

page.py   what stands on it
page.css  how it looks, on paper, a screen and a phone
page.js   sorting of tables
"""
