/** Workflows to start from. A new one is a file beside this and a line here. PURE. */
import type { WorkflowFile } from '../../contract/workflow.ts'
import { captionsOnly } from './captions-only.ts'
import { interview } from './interview.ts'
import { lecture } from './lecture.ts'
import { podcast } from './podcast.ts'
import { sermon } from './sermon.ts'
import { squareFeed } from './square.ts'
import { stream } from './stream.ts'

export const WORKFLOW_TEMPLATES: readonly WorkflowFile[] = [
  podcast,
  interview,
  lecture,
  sermon,
  stream,
  squareFeed,
  captionsOnly,
]
