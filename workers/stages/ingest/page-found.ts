import { AppError } from '../../../server/contract/errors.ts'
import { describeNonVideo } from './pure/media-type.ts'

/** A web page where a video was expected. It is a failure, unless the page leads to a file. */
export class PageFound extends AppError {
  /** Address of the page after all redirects. */
  readonly page: URL

  constructor(page: URL) {
    const found = 'page'
    super('SOURCE_NOT_VIDEO', { message: describeNonVideo({ kind: found }) ?? '', details: { found } })
    this.page = page
  }
}
