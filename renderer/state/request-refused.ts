/** The appliance refused a request, or did not answer it. */
export class RequestRefused extends Error {
  /** Of the answer; 0: there was none. */
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
