/**
 * Getty Images with its API v3: `POST /oauth2/token`, `GET /v3/search/images`, `POST /v3/downloads/images/{id}`, with the user's
 * key and secret, and the user's name if the account's downloads need one. Only pictures that this account may download are
 * offered, and only the chosen ones are downloaded, because each download counts against the account's agreement.
 */
import { AppError } from '../../../../server/contract/errors.ts'
import { brollAddress } from '../../../../server/contract/clip-broll.ts'
import { requestService, type Access, addressAt, listAt, textAt, keyOf, type Searcher } from '../ask.ts'

const SERVICE = 'Getty Images'

/** Requests an access token, which is valid for half an hour: longer than a search or a download. */
async function requestToken(access: Access, signal: AbortSignal): Promise<string> {
  const { user = '', password = '' } = access.keys
  const who =
    user === '' ? { grant_type: 'client_credentials' } : { grant_type: 'password', username: user, password }
  const form = { client_id: keyOf(access, 'key'), client_secret: keyOf(access, 'secret'), ...who }
  const answer = await requestService(
    access,
    { service: SERVICE, method: 'POST', path: '/oauth2/token', form },
    signal,
  )
  const token = textAt(answer, 'access_token') === '' ? '' : (answer as { access_token: string }).access_token
  if (token !== '') return token
  throw new AppError('SOURCE_FORBIDDEN', { message: `${SERVICE} gave no access. Check key and secret.` })
}

const buildHeaders = (access: Access, token: string): Record<string, string> => ({
  'api-key': keyOf(access, 'key'),
  authorization: `Bearer ${token}`,
})

export const searchGetty: Searcher = async ({ access, query, most, signal, shared }) => {
  shared.token ??= await requestToken(access, signal)
  const answer = await requestService(
    access,
    {
      service: SERVICE,
      path: '/v3/search/images',
      query: { phrase: query, page_size: String(most), fields: 'id,title,artist,largest_downloads' },
      headers: buildHeaders(access, shared.token),
    },
    signal,
  )
  return listAt(answer, 'images').flatMap((image) => {
    const id = textAt(image, 'id')
    const product = textAt(listAt(image, 'largest_downloads')[0], 'product_type')
    if (!/^[A-Za-z0-9-]{1,40}$/u.test(id) || !/^[A-Za-z0-9]{1,20}$/u.test(product)) return []
    const url = brollAddress('getty', `${id}_${product}`)
    const artist = textAt(image, 'artist')
    const credit = `${artist === '' ? '' : `${artist}, `}Getty Images ${id}`
    return [{ id, kind: 'image', url, name: textAt(image, 'title') || query, durationSeconds: null, credit }]
  })
}

/** The current download address of a picture. `id`: the picture's id, `_`, and the product under which it is downloaded. */
export async function gettyDelivery(access: Access, id: string, signal: AbortSignal): Promise<string> {
  const [picture = '', product = ''] = id.split('_')
  const token = await requestToken(access, signal)
  const answer = await requestService(
    access,
    {
      service: SERVICE,
      method: 'POST',
      path: `/v3/downloads/images/${encodeURIComponent(picture)}`,
      query: { auto_download: 'false', ...(product === '' ? {} : { product_type: product }) },
      headers: buildHeaders(access, token),
      form: {},
    },
    signal,
  )
  const uri = addressAt(answer, 'uri')
  if (uri !== '') return uri
  throw new AppError('SOURCE_FORBIDDEN', { message: `${SERVICE} returned no file for ${picture}.` })
}
