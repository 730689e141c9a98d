from kaon.train.plan import Plan as Plan
from kaon.train.plan import read_plan as read_plan
from kaon.train.train import Train as Train
from kaon.train.train import TrainOutput as TrainOutput
from kaon.train.train import TrainReport as TrainReport
