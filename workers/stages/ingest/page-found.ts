import { AppError } from '../../../server/contract/errors.ts'
import { describeNonVideo } from './pure/media-type.ts'

/** A web page where a video was expected: a failure, unless the page leads on. */
export class PageFound extends AppError {
  /** The page, after all redirects. */
  readonly page: URL

  constructor(page: URL) {
    const found = 'page'
    super('SOURCE_NOT_VIDEO', { message: describeNonVideo({ kind: found }) ?? '', details: { found } })
    this.page = page
  }
}
