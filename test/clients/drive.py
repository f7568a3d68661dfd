"""The main job by the client that openapi-python-client made: drive.py FOLDER URL KEY COMPANY WORKFLOW VIDEO."""
import json
import sys
import time

folder, url, key, company, workflow, video = sys.argv[1:]
sys.path.insert(0, folder)

from made_client import AuthenticatedClient  # noqa: E402
from made_client.api.clips import get_clip, post_render  # noqa: E402
from made_client.api.runs import get_workflow_results_by_trigger_id, post_trigger_template  # noqa: E402
from made_client.models import (  # noqa: E402
    ClipAnswer,
    RenderAnswer,
    RenderRequest,
    Run,
    RunStatus,
    TriggerAnswer,
    TriggerRequest,
)

client = AuthenticatedClient(base_url=url, token=key)
started = post_trigger_template.sync(
    client=client, body=TriggerRequest(company_id=company, workflow_id=workflow, url=video)
)
assert isinstance(started, TriggerAnswer), started
while True:
    run = get_workflow_results_by_trigger_id.sync(client=client, trigger_id=started.trigger_id)
    assert isinstance(run, Run), run
    if run.status in (RunStatus.COMPLETED, RunStatus.ERROR):
        break
    time.sleep(0.5)
assert run.status is RunStatus.COMPLETED, run
read = get_clip.sync(client=client, company_id=company, clip_id=run.clips[0].id)
assert isinstance(read, ClipAnswer), read
rendered = post_render.sync(client=client, body=RenderRequest(company_id=company, clip_id=read.clip.id))
assert isinstance(rendered, RenderAnswer), rendered
print(json.dumps({"title": read.clip.title, "clips": len(run.clips), "renderUrl": rendered.render_url}))
