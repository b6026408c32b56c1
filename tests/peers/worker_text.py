"""Answers calls to jiwer and sacreBLEU; runs in their environment."""

import json
import sys


def wer(reference, hypothesis):
    import jiwer

    return float(jiwer.wer(reference, hypothesis))


def cer(reference, hypothesis):
    import jiwer

    return float(jiwer.cer(reference, hypothesis))


def chrf(hypothesis, reference, whitespace):
    from sacrebleu.metrics import CHRF

    return float(CHRF(whitespace=whitespace).sentence_score(hypothesis, [reference]).score) / 100.0


def bleu(hypothesis, reference):
    """Add-one smoothing of orders 2 to 4, effective order, words between white space."""
    from sacrebleu.metrics import BLEU

    metric = BLEU(tokenize="none", smooth_method="add-k", smooth_value=1, effective_order=True)
    return float(metric.sentence_score(hypothesis, [reference]).score) / 100.0


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"result": globals()[request.pop("call")](**request)}
        except Exception as problem:  # noqa: BLE001 - the caller must see every problem
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
