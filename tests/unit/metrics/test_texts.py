import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import JaroWinkler, Levenshtein

from accord.errors import UsageError
from accord.metrics.texts import graphemes, is_unspaced
from accord.similarity.metric import from_metric, similarity

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
FLAG = "\U0001f1e9\U0001f1ea"
texts = st.text(alphabet="abc ", max_size=15)


@given(texts, texts)
def test_text_similarity_is_rapidfuzz_normalized_levenshtein(a, b):
    expected = None if not a and not b else Levenshtein.normalized_similarity(a, b)
    assert similarity("text_similarity", a, b) == pytest.approx(expected, abs=1e-12)
    assert similarity("cer", a, b) == pytest.approx(expected, abs=1e-12)


@given(texts, texts)
def test_jaro_winkler_is_rapidfuzz(a, b):
    expected = None if not a and not b else JaroWinkler.similarity(a, b)
    assert similarity("jaro_winkler", a, b) == pytest.approx(expected, abs=1e-12)


def test_swapped_neighbours_are_one_edit_in_damerau():
    assert similarity("text_similarity", "abcd", "abdc") == 0.5
    assert similarity("damerau_levenshtein", "abcd", "abdc") == 0.75
    assert similarity("damerau_levenshtein", "ca", "abc") == pytest.approx(1 / 3), "unrestricted: two edits, not three"


def test_jaro_winkler_of_the_textbook_pair():
    """MARTHA and MARHTA: .9611 (Winkler 1990)."""
    assert similarity("jaro_winkler", "MARTHA", "MARHTA") == pytest.approx(0.9611, abs=5e-5)


def test_graphemes_are_what_people_see():
    assert graphemes(f"e\u0301{FAMILY}{FLAG}\r\n") == ("e\u0301", FAMILY, FLAG, "\r\n")


def test_grapheme_unit_counts_one_for_an_emoji_of_five_code_points():
    assert similarity("text_similarity", f"a{FAMILY}", "ab", unit="grapheme") == 0.5
    assert similarity("text_similarity", f"a{FAMILY}", "ab") == pytest.approx(1 / 6)
    assert similarity("damerau_levenshtein", f"a{FLAG}", f"{FLAG}a", unit="grapheme") == 0.5


def test_nfkc_joins_compatible_characters_only_when_asked():
    assert similarity("text_similarity", "\ufb01n", "fin") < 1
    assert similarity("text_similarity", "\ufb01n", "fin", normalize="nfkc") == 1.0


def test_lines_are_joined_with_one_space():
    assert similarity("text_similarity", ["a", "b"], "a b") == 1.0
    assert similarity("text_similarity", [], "a b") == 0.0
    assert similarity("text_similarity", [], []) is None


@pytest.mark.parametrize("metric", ["wer", "bleu", "token_jaccard", "token_dice"])
@pytest.mark.parametrize("text", ["ภาษาไทยไม่มีช่องว่าง", "我喜欢绿色的门", "わたしはドアがすきです", "ភាសាខ្មែរ"])
def test_words_of_scripts_without_spaces_are_refused(metric, text):
    assert is_unspaced(text)
    with pytest.raises(UsageError, match=r"cer or chrf"):
        similarity(metric, text, text)
    with pytest.raises(UsageError, match=r"1 of 2 texts"):
        from_metric([text, "a b"], metric)
    assert similarity("cer", text, text) == similarity("chrf", text, text) == 1.0


def test_korean_and_a_quoted_name_are_not_refused():
    assert not is_unspaced("나는 초록색 문을 좋아한다")
    assert not is_unspaced("the city of Beijing, written \u5317\u4eac, is large and old")
    assert similarity("wer", "나는 문을", "나는 문을") == 1.0


def test_word_error_rate_counts_words():
    assert similarity("wer", "the cat sat", "the cat sat down") == 0.75
    assert similarity("wer", "the cat sat", "the dog sat") == pytest.approx(2 / 3)
    assert similarity("wer", "a", "b c d e", reference="left") == 0.0, "never below 0"
    assert similarity("wer", "", "b", reference="left") == 0.0


def test_token_sets():
    assert similarity("token_jaccard", "the cat the", "the dog") == pytest.approx(1 / 3)
    assert similarity("token_dice", "the cat the", "the dog") == pytest.approx(1 / 2)
    assert similarity("token_jaccard", "", "") is None
    assert similarity("token_jaccard", "a", "") == 0.0


def test_bleu_by_hand():
    """Left against right: p1 = 3/4, p2 = (2+1)/(3+1), p3 = (1+1)/(2+1), p4 = (0+1)/(1+1), no brevity penalty."""
    a, b = "a b c d", "a b c e"
    expected = (3 / 4 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    assert similarity("bleu", a, b) == pytest.approx(expected, abs=1e-12)
    smoothed = (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    assert similarity("bleu", a, b, orders="all") == pytest.approx(smoothed, abs=1e-12)


def test_bleu_penalises_a_short_candidate():
    """Candidate "a" of reference "a b": precision 1, penalty exp(1 - 2/1)."""
    assert similarity("bleu", "a b", "a", reference="left") == pytest.approx(np.exp(-1), abs=1e-12)
    assert similarity("bleu", "a", "a b", reference="left") == pytest.approx(0.5, abs=1e-12)


def test_chrf_by_hand():
    """Orders 1 and 2 exist in both texts; precision (2/3 + 1/2) / 2, recall (2/2 + 1/1) / 2, beta 2."""
    precision, recall = (2 / 3 + 1 / 2) / 2, 1.0
    expected = 5 * precision * recall / (4 * precision + recall)
    assert similarity("chrf", "ab", "abc", reference="left") == pytest.approx(expected, abs=1e-12)


def test_chrf_keeps_spaces_unless_asked():
    assert similarity("chrf", "a b", "ab") < 1.0
    assert similarity("chrf", "a b", "ab", convention="sacrebleu") == 1.0


def test_many_chrf_pairs_are_scored_in_parts(monkeypatch):
    words = ["cat", "cats", "dog", "catalogue"]
    whole = from_metric(words, "chrf").dense()
    monkeypatch.setattr("accord.metrics.ngrams._CHUNK", 3)
    np.testing.assert_array_equal(from_metric(words, "chrf").dense(), whole)
