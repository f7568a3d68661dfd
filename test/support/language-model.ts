/** A server that pretends to be a language model, in the way of OpenAI's chat completions, well or badly. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly path: string
  readonly authorization: string
  readonly body: {
    readonly model: string
    readonly messages: readonly { readonly role: string; readonly content: string }[]
    readonly response_format?: unknown
  }
}

/** What it sends: a status with a body as it is, or the text of an answer; after so many milliseconds. */
export interface Reply {
  readonly status?: number
  readonly raw?: string
  readonly content?: string
  readonly afterMs?: number
}

export interface PretendModel {
  readonly url: string
  readonly asked: readonly Asked[]
  stop(): Promise<void>
}

export async function pretendModel(reply: (asked: Asked) => Reply): Promise<PretendModel> {
  const asked: Asked[] = []
  const server: Server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const one = {
        path: request.url ?? '',
        authorization: request.headers.authorization ?? '',
        // A list of models is asked for without a body.
        body: (body === '' ? { model: '', messages: [] } : JSON.parse(body)) as Asked['body'],
      }
      asked.push(one)
      const { status = 200, raw, content = '', afterMs = 0 } = reply(one)
      const text = raw ?? JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] })
      setTimeout(() => response.writeHead(status, { 'content-type': 'application/json' }).end(text), afterMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
