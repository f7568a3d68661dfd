/**
 * Addresses of files in answers that are kept for their Idempotency-Key. An answer is sent again for a day, and a file may
 * have another address by then: signed ones end, those of a clip are revoked. So ids are kept, and addresses made anew,
 * of files of the caller's company only: what it sent itself may be echoed in an answer.
 */
import { getMedia, getMediaByToken } from '../../db/media.ts'
import { mediaPath } from '../rendering/register-media.ts'
import type { DbServices } from '../services.ts'

/** What comes before the path of an address, as a whole text of a JSON document begins with it. */
const BASE = String.raw`"((?:https?://[^"\\\s?]+)?)/media/`
const NAME = String.raw`([\w-]{1,100})/([^"\\\s/?]+)`
const ADDRESS = new RegExp(String.raw`${BASE}${NAME}(?:\?[^"\\\s]*)?"`, 'g')
/** The same by its id, which opens nothing. */
const KEPT = new RegExp(`${BASE}id:${NAME}"`, 'g')

/** The JSON text of an answer as it is kept. */
export const keepAddresses = ({ db }: DbServices, companyId: string, body: string): string =>
  body.replaceAll(ADDRESS, (whole, base: string, token: string, name: string) => {
    const row = getMediaByToken(db, token)
    return row?.companyId === companyId ? `"${base}/media/id:${row.id}/${name}"` : whole
  })

/** The JSON text of an answer as it is sent again; a file that is gone keeps an address that leads nowhere. */
export const renewAddresses = (services: DbServices, companyId: string, body: string): string =>
  body.replaceAll(KEPT, (whole, base: string, id: string) => {
    const row = getMedia(services.db, id)
    return row?.companyId === companyId ? `"${base}${mediaPath(services, row)}"` : whole
  })
