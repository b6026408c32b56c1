"""Fragments the example messages are made of. ``{Product}``, ``{Order}``, ``{Date}`` and ``{Amount}`` are slots."""

SENTIMENTS = ("positive", "neutral", "negative", "mixed")
TOPICS = ("billing", "delivery", "returns", "account", "quality")
MONTHS = ("January", "February", "March", "April", "May", "June")

PRODUCTS = (
    ("Kitchen", "kettle"),
    ("Kitchen", "toaster"),
    ("Kitchen", "blender"),
    ("Audio", "headphones"),
    ("Audio", "speaker"),
    ("Home", "desk lamp"),
    ("Home", "fan"),
)

OPENINGS = {
    "positive": (
        "Hello, I am really happy with the {Product} you sent me.",
        "Dear team, the {Product} is lovely and works every morning.",
        "Hi, thank you for the quick help with my {Product}!",
        "Good day, my whole family enjoys the {Product}.",
    ),
    "neutral": (
        "Hello, I am writing about the {Product} from order {Order}.",
        "Good morning, I have a question concerning my {Product}.",
        "Hi, this is about order {Order}, one {Product}.",
        "Dear team, please find below a note on my {Product}.",
    ),
    "negative": (
        "I am very disappointed with the {Product}.",
        "This is the third time I write about the {Product}.",
        "Honestly, buying the {Product} from you was a mistake.",
        "I have lost my patience with order {Order}.",
    ),
    "mixed": (
        "The {Product} itself is fine, the rest less so.",
        "I like the {Product}, yet not everything went well.",
        "Hello, the {Product} is good but I have a remark.",
        "Some of it was great, some of it was not: my {Product}, order {Order}.",
    ),
}

FACTS = {
    "billing": (
        "My card was charged {Amount} on {Date}.",
        "The invoice of {Date} shows {Amount}, the shop page showed less.",
        "I see two payments of {Amount} for order {Order}.",
    ),
    "delivery": (
        "The parcel was announced for {Date} and came two days later.",
        "The courier left order {Order} with a neighbour on {Date}.",
        "The tracking page has not changed since {Date}.",
    ),
    "returns": (
        "I sent it back on {Date} with the printed label.",
        "The return of order {Order} is on its way to you.",
        "Your return form asks for a code that I cannot find.",
    ),
    "account": (
        "My password link stopped working on {Date}.",
        "The address in my account is still the old one.",
        "I cannot see order {Order} in my account.",
    ),
    "quality": (
        "The switch of the {Product} feels loose since {Date}.",
        "There is a scratch on one side.",
        "The {Product} makes a humming sound at night.",
    ),
}

CLOSINGS = {
    "positive": ("Keep up the good work.", "I will order again.", "You made my week."),
    "neutral": ("This is for your information.", "I can send a photo.", "I am at home until noon."),
    "negative": ("That is not what I paid for.", "I expected better.", "Nobody answers the phone."),
    "mixed": ("The phone call was friendly, though.", "I would still buy it again.", "Half of it is solved by now."),
}

WISHES = (
    "Please send me a replacement.",
    "Please tell me what to do next.",
    "Please confirm that you got this.",
    "Please return the money.",
)

WISH_NOUNS = {
    WISHES[0]: "a replacement",
    WISHES[1]: "advice",
    WISHES[2]: "a confirmation",
    WISHES[3]: "the money back",
}

TOPIC_NOUNS = {
    "billing": "a payment",
    "delivery": "a late parcel",
    "returns": "a return",
    "account": "account access",
    "quality": "a defect",
}

SUMMARIES = (
    "Customer writes about {topic} ({product}) and asks for {wish}.",
    "{product}: {topic}; wants {wish}",
    "Message on {topic} concerning the {product}. Request: {wish}.",
)
