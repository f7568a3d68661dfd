/** Files on their way into the library, one after the other: each has the whole line. */
import { uploadFile, type Upload } from '../state/api.ts'
import { shownCompany } from '../state/company.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import { media as messages } from '../messages/library.ts'
import { addMedia } from './api.ts'

interface Sending {
  readonly key: number
  readonly name: string
  /** 0 to 1; null: it waits. */
  readonly fraction: number | null
}

interface Sender {
  /** A file is in the library. */
  readonly onadded: () => Promise<void>
  /** What there is to say of a file: that it was refused, or known. */
  readonly say: (what: string) => void
}

export function createSending({ onadded, say }: Sender) {
  let sending = $state.raw<readonly Sending[]>([])
  let queue: { readonly key: number; readonly file: File }[] = []
  let handle: { readonly key: number; readonly upload: Upload } | null = null
  let nextKey = 0
  let isSending = false
  const company = shownCompany()

  const update = (key: number, change: Partial<Sending> | null): void => {
    sending = sending.flatMap((one) =>
      one.key !== key ? [one] : change === null ? [] : [{ ...one, ...change }],
    )
  }

  async function sendOne({ key, file }: { key: number; file: File }): Promise<void> {
    const upload = uploadFile(file, (fraction) => update(key, { fraction }), company)
    handle = { key, upload }
    update(key, { fraction: 0 })
    try {
      const { item, added } = await addMedia(await upload.done)
      if (!added) say(messages.known(item.name))
      if (company === shownCompany()) await onadded()
    } catch (error) {
      // Without a handle somebody cancelled it.
      if (handle !== null) say(messages.refused(file.name, sentence(error).replace(`${file.name}: `, '')))
    } finally {
      handle = null
      update(key, null)
    }
  }

  async function sendAll(): Promise<void> {
    if (isSending) return
    isSending = true
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await sendOne(next)
    isSending = false
  }

  return {
    get all() {
      return sending
    },
    add(files: readonly File[]): void {
      const added = files.map((file) => ({ key: nextKey++, file }))
      sending = [...sending, ...added.map(({ key, file }) => ({ key, name: file.name, fraction: null }))]
      queue = [...queue, ...added]
      void sendAll()
    },
    cancel(this: void, key: number): void {
      queue = queue.filter((one) => one.key !== key)
      if (handle?.key === key) {
        const { upload } = handle
        handle = null
        upload.cancel()
      } else update(key, null)
    },
  }
}
