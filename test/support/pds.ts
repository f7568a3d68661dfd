/** A real server of the AT Protocol with an account, and the directory of identities that it needs, on this machine. */
import { randomBytes } from 'node:crypto'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface RealPds {
  readonly url: string
  readonly did: string
  readonly handle: string
  readonly appPassword: string
  /** Sends it a request without authentication. */
  get(name: string, query: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

/** It has a lock file of its own: it and its 548 packages are 342 MB, which only this test needs. */
const INSTALLED_IN = join(import.meta.dirname, '..', 'pds')

/** Null where the server is installed; otherwise a message on how to install it. */
export const whyNoPds: string | null = existsSync(join(INSTALLED_IN, 'node_modules', '@atproto', 'pds'))
  ? null
  : 'Skipped: the server of the AT Protocol is not installed. To install it: npm run install:pds'

/** What of @atproto/pds is used: its types are not where the type checker looks. */
interface PdsPackage {
  readonly PDS: {
    create(
      config: unknown,
      secrets: unknown,
    ): Promise<{ start(): Promise<unknown>; destroy(): Promise<void> }>
  }
  readonly envToCfg: (environment: unknown) => unknown
  readonly envToSecrets: (environment: unknown) => unknown
}

async function loadPds(): Promise<PdsPackage> {
  const { resolve } = createRequire(join(INSTALLED_IN, 'package.json'))
  return (await import(pathToFileURL(resolve('@atproto/pds')).href)) as PdsPackage
}

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const closed = (server: Server): Promise<void> => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

interface PlcOperation {
  readonly alsoKnownAs: string[]
  readonly verificationMethods: Record<string, string>
  readonly services: Record<string, { type: string; endpoint: string }>
}

/** The part of a PLC directory that a server uses: it stores operations and returns documents. */
function plcDirectory(): Server {
  const known = new Map<string, PlcOperation>()
  return createServer((request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('/')
    const did = decodeURIComponent(name)
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
    request.on('end', () => {
      const send = (value: unknown, status = 200) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      }
      if (request.method === 'POST') known.set(did, JSON.parse(body) as PlcOperation)
      const operation = known.get(did)
      if (operation === undefined) send({ message: 'not registered' }, 404)
      else if (rest.join('/') === 'log/last') send(operation)
      else if (rest[0] === 'data') send({ did, ...operation })
      else send(documentOf(did, operation))
    })
  })
}

const documentOf = (did: string, { alsoKnownAs, verificationMethods, services }: PlcOperation) => ({
  '@context': ['https://www.w3.org/ns/did/v1'],
  id: did,
  alsoKnownAs,
  verificationMethod: Object.entries(verificationMethods).map(([name, key]) => ({
    id: `${did}#${name}`,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase: key.replace('did:key:', ''),
  })),
  service: Object.entries(services).map(([name, { type, endpoint }]) => ({
    id: `#${name}`,
    type,
    serviceEndpoint: endpoint,
  })),
})

async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listening(probe)
  await closed(probe)
  return port
}

/** Starts it with one account and an app password. */
export async function startPds(): Promise<RealPds> {
  const { PDS, envToCfg, envToSecrets } = await loadPds()
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-pds-'))
  const plc = plcDirectory()
  const plcPort = await listening(plc)
  const port = await freePort()
  const environment = {
    devMode: true,
    hostname: 'localhost',
    port,
    logEnabled: false,
    inviteRequired: false,
    dataDirectory: folder,
    blobstoreDiskLocation: join(folder, 'blobs'),
    serviceHandleDomains: ['.test'],
    didPlcUrl: `http://localhost:${plcPort}`,
    crawlers: [],
    bskyAppViewUrl: `http://localhost:${plcPort}`,
    bskyAppViewDid: 'did:example:nobody',
    adminPassword: 'admin',
    jwtSecret: randomBytes(32).toString('hex'),
    dpopSecret: randomBytes(32).toString('hex'),
    plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString('hex'),
  }
  const pds = await PDS.create(envToCfg(environment), envToSecrets(environment))
  await pds.start()
  const url = `http://localhost:${port}`
  const post = async (name: string, json: unknown, token?: string) => {
    const answer = await fetch(`${url}/xrpc/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(json),
    })
    if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, string>
  }
  const handle = 'ada.test'
  const password = 'only-for-this-test'
  const made = await post('com.atproto.server.createAccount', { email: 'ada@example.com', handle, password })
  const app = await post('com.atproto.server.createAppPassword', { name: 'cutroom' }, made['accessJwt'])
  return {
    url,
    handle,
    did: made['did'] ?? '',
    appPassword: app['password'] ?? '',
    get: (name, query) => fetch(`${url}/xrpc/${name}?${new URLSearchParams(query).toString()}`),
    close: async () => {
      await pds.destroy()
      await closed(plc)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Forwards everything to `target`; loses the response to the next request whose path ends in `loses`. */
export async function lossyProxy(
  target: string,
): Promise<{ readonly url: string; loses: string | null; readonly seen: string[]; close(): Promise<void> }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    seen.push(path.split('/').at(-1) ?? '')
    const lost = self.loses !== null && path.endsWith(self.loses)
    if (lost) self.loses = null
    const onward = httpRequest(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: { ...request.headers, host: new URL(target).host },
    })
    onward.once('response', (answer) => {
      if (lost) {
        answer.resume()
        answer.once('end', () => request.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  const port = await listening(server)
  const self = {
    url: `http://127.0.0.1:${port}`,
    loses: null as string | null,
    seen,
    close: () => closed(server),
  }
  return self
}
