"""Write a data model as a C++ string literal: model-text.py MODEL.yaml OUT."""

import json
import sys
from pathlib import Path

# Not by PYTHONPATH, because pip's builds set it for their own packages.
sys.path.insert(0, str(Path(__file__).parent.parent / "python"))
from kaon.modelgen.parse import load_model  # noqa: E402

text = json.dumps(load_model(Path(sys.argv[1])).to_dict(), indent=1)
Path(sys.argv[2]).write_text(f'R"json({text})json"\n')
