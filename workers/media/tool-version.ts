/** What the tools say of themselves, asked once per process. */
import { runTool } from './run-tool.ts'

const asked = new Map<string, Promise<string>>()

/** All that `-version` prints: the version, how it was built, and the versions of its libraries. */
export function readVersionText(executable: string): Promise<string> {
  const known = asked.get(executable)
  if (known !== undefined) return known
  const text = runTool({ executable, args: ['-version'], timeoutSeconds: 30 }).then(({ stdout }) =>
    stdout.toString('utf8'),
  )
  asked.set(executable, text)
  text.catch(() => asked.delete(executable))
  return text
}

/** The first line of it, without the notice of copyright. */
export function formatVersionLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/ Copyright.*/, '').trim()
}
