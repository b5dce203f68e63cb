"""Everything a player reads: words in seven languages, screens as pure functions, and the line mode.

Law: what is drawn is a function of what is known. Only chair.py and local.py are told anything; all else is pure.

    what happens    local.py runs tables (so does p2p/net/driver.py) and tells a chair; story.py folds what was told
    what is chosen  chair.py holds the choice until it is sent; choice.py is a choice in the making
    what is seen    scene.py is one frame's facts; screen.py draws it with a board (boards.py) and beneath.py
    what is heard   plain.py tells and asks the same line by line
    how it is said  words.py, rulebook.py, keys.py, cards.py, in the language of messages.py
    how it looks    look.py has signs and colours, text.py lines of styled text, options.py the command's options
"""
