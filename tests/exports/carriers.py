"""Which formats carry which kind of annotation, and what writes them: the matrix of the documentation and its test."""

import image_writers as images
import text_writers as texts

#: Kind of annotation -> format -> what writes all answers of the kind, given the kind and a folder.
CARRIERS = {
    "choice": {
        "prodigy": texts.prodigy, "doccano": texts.doccano, "labelbox": texts.labelbox, "argilla": texts.argilla,
    },
    "choices": {
        "prodigy": texts.prodigy, "doccano": texts.doccano, "labelbox": texts.labelbox, "argilla": texts.argilla,
        "cvat": images.cvat,
    },
    "rating": {"argilla": texts.argilla},
    "text": {"labelbox": texts.labelbox, "argilla": texts.argilla, "coco": images.coco},
    "spans": {
        "prodigy": texts.prodigy, "doccano": texts.doccano, "conll": texts.conll, "brat": texts.brat,
        "uima": texts.uima, "labelbox": texts.labelbox, "argilla": texts.argilla,
    },
    "relations": {
        "prodigy": texts.prodigy, "doccano": texts.doccano, "brat": texts.brat, "uima": texts.uima,
        "labelbox": texts.labelbox,
    },
    "boxes": {
        "prodigy": images.prodigy, "doccano": images.doccano, "coco": images.coco, "voc": images.voc,
        "yolo": images.yolo, "cvat": images.cvat, "labelbox": images.labelbox,
    },
    "polygons": {
        "prodigy": images.prodigy, "doccano": images.doccano, "coco": images.coco, "yolo": images.yolo,
        "cvat": images.cvat, "labelbox": images.labelbox,
    },
    "masks": {"coco": images.coco, "cvat": images.cvat},
    "keypoints": {"coco": images.coco, "yolo": images.yolo, "cvat": images.cvat, "labelbox": images.labelbox},
    "tracks": {"cvat": images.cvat, "labelbox": images.labelbox},
    "stretches": {"rttm": texts.rttm, "textgrid": texts.textgrid, "elan": texts.elan},
}  # fmt: skip
