from kaon.modelgen.files import generate as generate
from kaon.modelgen.mistakes import ModelError as ModelError
from kaon.modelgen.model import Model as Model
from kaon.modelgen.parse import load_model as load_model
from kaon.modelgen.parse import model_of_entries as model_of_entries
from kaon.modelgen.yaml_text import to_yaml as to_yaml
