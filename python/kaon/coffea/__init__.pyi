from kaon.coffea.events import nano_events as nano_events
from kaon.coffea.events import runner as runner
