/**
 * Runs in a network namespace: an appliance with the network off and with settings that name remote hosts, requested to
 * do everything that would connect to them. Prints the results as JSON.
 */
import { lookup } from 'node:dns/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const PROVIDER = { issuer: 'https://id.example', jwksUri: 'https://id.example/keys' }
const SETTINGS = {
  CUTROOM_NETWORK: 'off',
  CUTROOM_LLM_URL: 'http://llm.example:11434/v1',
  CUTROOM_LLM_MODEL: 'any',
  CUTROOM_ALLOW_DOWNLOADS: 'true',
  CUTROOM_GOOGLE_IMAGES_KEY: 'k',
  CUTROOM_GOOGLE_IMAGES_ENGINE: 'e',
  CUTROOM_SERVICE_IDENTITY: JSON.stringify([{ ...PROVIDER, audience: 'cutroom', subjects: ['robot'] }]),
}
const SOURCES = [
  'https://video.example/talk.mp4',
  'http://93.184.216.34/talk.mp4',
  'http://[2606:2800:220:1:248:1893:25c8:1946]/talk.mp4',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
]

/** A process without any such restraint: the namespace has to count its connections. */
async function careless(): Promise<void> {
  await lookup('video.example').catch(() => undefined)
  await fetch('http://93.184.216.34/').catch(() => undefined)
}

async function start(home: string) {
  const [{ loadConfig }, { startAppliance }, { createLogger }] = await Promise.all([
    import('../../server/config/config.ts'),
    import('../../server/index.ts'),
    import('../../server/log.ts'),
  ])
  const config = loadConfig({ home, port: '0' }, SETTINGS)
  return startAppliance(
    config,
    createLogger('error', (line) => void process.stderr.write(line)),
  )
}

type Appliance = Awaited<ReturnType<typeof start>>

async function tenant({ services, url }: Appliance) {
  const [{ createCompany }, { createApiKey }, { importWorkflow }, { DEFAULT_WORKFLOWS }] = await Promise.all([
    import('../../server/domain/people/companies.ts'),
    import('../../server/domain/people/api-keys.ts'),
    import('../../server/domain/workflows/workflows.ts'),
    import('../../server/nodes/index.ts'),
  ])
  const { clientOf } = await import('./appliance.ts')
  const companyId = createCompany(services, { id: 'sealed', name: 'Sealed' }).id
  const { key } = createApiKey(services, { companyId, name: 'test' })
  const { workflowId } = importWorkflow(services, { companyId, file: DEFAULT_WORKFLOWS[0] })
  return clientOf(url, { companyId, key, workflowId })
}

/** An unverified token of the provider: its keys would have to be fetched. */
async function askForKeys({ services }: Appliance): Promise<string> {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: PROVIDER.issuer, aud: 'cutroom', sub: 'robot', iat: now, exp: now + 60 }
  const token = `${part({ alg: 'ES256', typ: 'JWT', kid: 'k' })}.${part(claims)}.${'A'.repeat(86)}`
  const { verifyServiceToken } = await import('../../server/domain/access/service-tokens.ts')
  return verifyServiceToken(services, token).then(
    () => 'let in',
    (error: unknown) => `${(error as Error).message} ${String((error as Error).cause)}`,
  )
}

/** The error of the first delivery that was tried. */
async function deliveryError({ services }: Appliance, webhookId: string): Promise<string> {
  const { listDeliveries } = await import('../../server/domain/webhooks/webhooks.ts')
  for (let tries = 0; tries < 300; tries += 1) {
    const tried = listDeliveries(services, webhookId, { limit: 10 }).find(({ error }) => error !== null)
    if (tried !== undefined) return tried.error ?? ''
    await pause(100)
  }
  return 'no delivery was tried'
}

async function careful(home: string): Promise<unknown> {
  const appliance = await start(home)
  try {
    const { services } = appliance
    const client = await tenant(appliance)
    const [{ createWebhook }, { installModel }] = await Promise.all([
      import('../../server/domain/webhooks/webhooks.ts'),
      import('../../server/domain/models/models.ts'),
    ])
    const { webhook } = createWebhook(services, {
      companyId: 'sealed',
      url: 'https://hooks.example/in',
      events: ['*'],
    })
    const runs = await Promise.all(
      SOURCES.map(async (source) => {
        const { code, error } = await client.settled(await client.trigger(source))
        return { url: source, code, error }
      }),
    )
    const model = await installModel(services.config, 'whisper-base').then(
      () => 'installed',
      (error: unknown) => (error as Error).message,
    )
    return {
      runs,
      model,
      keys: await askForKeys(appliance),
      delivery: await deliveryError(appliance, webhook.id),
    }
  } finally {
    await appliance.stop()
  }
}

if (process.argv[2] === 'careless') await careless()
else {
  const home = await mkdtemp(join(tmpdir(), 'cutroom-egress-'))
  try {
    process.stdout.write(JSON.stringify(await careful(home)))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
