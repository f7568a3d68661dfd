/** A web page where a video was expected. Not a failure yet: the page may lead on. */
export class PageFound extends Error {
  /** The page, after all redirects. */
  readonly page: URL

  constructor(page: URL) {
    super('a web page, not a video file')
    this.page = page
  }
}
