from kaon.samples.clas12_events import clas12 as clas12
from kaon.samples.nanoaod_events import nanoaod as nanoaod
