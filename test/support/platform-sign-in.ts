/** A local server that answers the token and identity requests of every platform, and notes what it was asked. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface TokenRequest {
  readonly path: string
  readonly body: URLSearchParams
  readonly query: URLSearchParams
  readonly authorization: string
}

export interface PlatformSignIn {
  readonly url: string
  /** What was asked since it was last emptied. */
  requested: TokenRequest[]
  /** Runs while a token is renewed. */
  meanwhile: () => void
  close(): Promise<void>
}

export async function startPlatformSignIn(): Promise<PlatformSignIn> {
  let issued = 0
  /** Answers every platform's token and identity requests. */
  const answers: readonly [RegExp, (grant: string) => unknown][] = [
    [
      /\/(token|access_token|accessToken|refresh_access_token|token\/)$/,
      (grant) => ({
        access_token: `token-${++issued}-${grant}`,
        ...(grant === 'fb_exchange_token' ? {} : { refresh_token: `refresh-${issued}` }),
        expires_in: grant.startsWith('th_') ? 5_184_000 : 3600,
      }),
    ],
    [/\/youtube\/v3\/channels$/, () => ({ items: [{ id: 'UC1', snippet: { customUrl: '@acme' } }] })],
    [
      /\/v2\/user\/info\/$/,
      () => ({ data: { user: { open_id: 'o1', username: 'acme' } }, error: { code: 'ok' } }),
    ],
    [/\/2\/users\/me$/, () => ({ data: { id: '11', username: 'acme' } })],
    [/\/v2\/userinfo$/, () => ({ sub: 's1', name: 'Acme' })],
    [/\/v1\.0\/me$/, () => ({ id: '21', username: 'acme' })],
    [
      /\/public_profiles\/my_profile$/,
      () => ({ public_profiles: [{ public_profile: { id: 'p1', snap_user_name: 'acme' } }] }),
    ],
    [
      /\/me\/accounts$/,
      () => ({
        data: [
          {
            id: '31',
            name: 'Acme',
            access_token: 'page-31',
            instagram_business_account: { id: '41', username: 'acme' },
          },
          { id: '32', name: 'Other', access_token: 'page-32' },
        ],
      }),
    ],
    [
      /createSession$/,
      () => ({ did: 'did:plc:cli', handle: 'acme.test', accessJwt: 'a.b.c', refreshJwt: 'd.e.f' }),
    ],
  ]
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://fake')
      const body = new URLSearchParams(text)
      const { authorization = '' } = request.headers
      self.requested.push({ path: pathname, body, query, authorization })
      const grant = body.get('grant_type') ?? query.get('grant_type') ?? 'code'
      if (/refresh_/.test(`${body.get('grant_type') ?? ''}${query.get('grant_type') ?? ''}`)) self.meanwhile()
      const found = answers.find(([pattern]) => pattern.test(pathname))
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(found?.[1](grant) ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: PlatformSignIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested: [],
    meanwhile: () => undefined,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return self
}
