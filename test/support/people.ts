/** People of the studio on a test server: signed in as the link does it. */
import type { Role } from '../../server/contract/people.ts'
import { invitePerson } from '../../server/domain/people/people.ts'
import { applianceId, signIn } from '../../server/domain/people/sign-in.ts'
import { sessionCookieName } from '../../server/http/authenticate.ts'
import type { TestAnswer, TestRequest, TestServer } from './server.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

export interface SignedIn {
  readonly id: string
  readonly secret: string
  /** A request as a page of the studio makes it. */
  readonly call: (path: string, request?: TestRequest) => Promise<TestAnswer>
}

export function signInAs(server: TestServer, role: Role, scope?: string, name = `Some ${role}`): SignedIn {
  const { person, link } = invitePerson(server.services, {
    name,
    role,
    baseUrl: server.url,
    ...omitUndefined({ scope }),
  })
  const secret = signIn(server.services, new URL(link).searchParams.get('token') ?? '')
  if (secret === null) throw new Error('the link did not sign in')
  const cookie = `${sessionCookieName(applianceId(server.services))}=${secret}`
  return {
    id: person.id,
    secret,
    call: (path, request = {}) =>
      server.call(path, {
        ...request,
        key: null,
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...request.headers },
      }),
  }
}
