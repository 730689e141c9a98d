"""Write a data model as a C++ string literal: model-text.py MODEL.yaml OUT."""

import json
import sys
from pathlib import Path

from kaon.modelgen.parse import load_model

text = json.dumps(load_model(Path(sys.argv[1])).to_dict(), indent=1)
Path(sys.argv[2]).write_text(f'R"json({text})json"\n')
