/** Where answers lead: links from an operation's answer to those that take what it has, for clients and for tests in steps. */

interface Link {
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: Readonly<Record<string, string>>
}

type Links = Readonly<Record<string, Readonly<Record<string, Link>>>>

const ofClip = { companyId: '$request.query.companyId', clipId: '$response.body#/clip/id' }

/** By the operation whose success they belong to. */
export const PUBLIC_LINKS: Links = {
  postTriggerTemplate: {
    FollowRun: {
      operationId: 'getWorkflowResultsByTriggerId',
      description: 'How the run goes',
      parameters: { triggerId: '$response.body#/triggerId' },
    },
  },
  getWorkflowResultsByTriggerId: {
    ReadFirstClip: {
      operationId: 'getClip',
      description: 'The first clip of the run',
      parameters: { clipId: '$response.body#/clips/0/id' },
    },
  },
  getClip: {
    ReadWords: { operationId: 'getClipTranscript', description: 'The words of the clip', parameters: ofClip },
    Render: { operationId: 'postRender', description: 'The film of the clip', requestBody: ofClip },
  },
}

const data = (name: string): string => `$response.body#/data/${name}`

export const DOMAIN_LINKS: Links = {
  listClips: {
    ReadFirstClip: {
      operationId: 'getClip',
      description: 'The first clip of the list',
      parameters: { clipId: data('0/id') },
    },
  },
  queueClipRender: {
    FollowRender: {
      operationId: 'getOperation',
      description: 'How the render goes',
      parameters: { operationId: data('id') },
    },
  },
  exportClip: {
    FollowExport: {
      operationId: 'getOperation',
      description: 'How the export goes',
      parameters: { operationId: data('id') },
    },
  },
  prepareWorkflowRun: {
    ReadConfirmation: {
      operationId: 'getConfirmation',
      description: 'What waits for a yes',
      parameters: { confirmationId: data('id') },
    },
  },
  runWorkflow: {
    FollowRun: {
      operationId: 'getRun',
      description: 'How the run goes',
      parameters: { runId: data('runId') },
    },
  },
  createSocialPost: {
    ReadPost: {
      operationId: 'getSocialPost',
      description: 'The post as it is now',
      parameters: { postId: data('id') },
    },
  },
}

interface Described {
  readonly operationId?: unknown
  readonly responses?: unknown
}

/** Puts the links of the table into the successful answers of the operations. */
export function addLinks(
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  table: Links,
): void {
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path) as Described[])) {
    const links = table[String(operation.operationId)]
    if (links === undefined) continue
    const responses = operation.responses as Record<string, object>
    for (const status of Object.keys(responses).filter((one) => one.startsWith('2')))
      responses[status] = { ...responses[status], links }
  }
}
