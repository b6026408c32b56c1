"""A custom metric: how much two annotations of a support message agree on its topics, less if the urgency differs."""

symmetric = True


def answers(annotation, control):
    items = [item for item in annotation["result"] if item["from_name"] == control]
    return items[0]["value"] if items else {}


def agreement(annotation_1, annotation_2, per_label=False):
    one = set(answers(annotation_1, "topics").get("choices", []))
    two = set(answers(annotation_2, "topics").get("choices", []))
    if per_label:
        return {label: 1.0 if (label in one) == (label in two) else 0.0 for label in one | two}
    ratings = [answers(annotation, "urgency").get("rating") for annotation in (annotation_1, annotation_2)]
    if None in ratings:
        return None
    overlap = len(one & two) / len(one | two) if one | two else 1.0
    return overlap / (1 + abs(ratings[0] - ratings[1]))
