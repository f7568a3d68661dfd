/**
 * A real OpenID Connect server (oidc-provider) on this machine, as a studio's own: people with groups, a page that they
 * sign in on, PKCE required. The caller closes it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface OidcPerson {
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  groups?: readonly string[]
}

export interface OidcServer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** By subject; a test may change them. */
  readonly people: Record<string, OidcPerson>
  /** Signs in without the page, as this subject; null: the page asks. `no`: the person refuses. */
  auto: string | null
  readonly close: () => Promise<void>
}

const CLIENT_ID = 'cutroom'
const CLIENT_SECRET = 'the-client-secret-of-the-studio-0123456789'

const PAGE = `<!doctype html><html lang="en"><title>Studio login</title><h1>Studio login</h1>
<form method="post"><label>Account <input name="account"></label> <button>Continue</button></form></html>`

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

/** `redirectUris`: addresses that the client may come back to. */
export async function startOidc(redirectUris: readonly string[]): Promise<OidcServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const people: Record<string, OidcPerson> = {}
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [...redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    cookies: { keys: ['not-a-secret'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_ctx: unknown, sub: string) =>
      people[sub] === undefined ? undefined : { accountId: sub, claims: () => ({ sub, ...people[sub] }) },
    // The studio's own program: nobody is asked whether it may see their name.
    loadExistingGrant: async (ctx: {
      oidc: { client: { clientId: string }; session: { accountId: string }; requestParamScopes: Set<string> }
    }) => {
      const { client, session, requestParamScopes } = ctx.oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope([...requestParamScopes].join(' '))
      await grant.save()
      return grant
    },
  })
  const handle = provider.callback()
  const oidc: OidcServer = {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    people,
    auto: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const account = request.method === 'POST' ? (await bodyOf(request)).get('account') : oidc.auto
    if (account === null) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
      return
    }
    const result =
      account === 'no' ? { error: 'access_denied' } : { login: { accountId: account, remember: false } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) void handle(request, response)
    else
      interact(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error))
      })
  })
  return oidc
}
