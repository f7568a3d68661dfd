/** What a package holds, read back by other people's programs. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Made, must, type Steps } from './steps.ts'

const run = promisify(execFile)

export async function checkContents(steps: Steps, made: Made): Promise<void> {
  await steps.step('the .deb holds what it should, owned by root, and nothing of the checkout', async () => {
    const { stdout } = await run('dpkg-deb', ['--contents', made.deb], { maxBuffer: 2 ** 26 })
    const lines = stdout.trim().split('\n')
    const paths = lines.map((line) => line.split(/\s+/).slice(5).join(' '))
    for (const line of lines) {
      must(line.split(/\s+/)[1] === 'root/root', `not root's: ${line}`)
      must(!/^[-d].{2}[sS]|^[-d].{5}[sS]|^-.{7}w/.test(line), `set-uid, or writable for all: ${line}`)
    }
    const has = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path))
    for (const wanted of [
      /^\.\/usr\/lib\/cutroom\/bin\/node$/,
      /\/out\/renderer\/index\.html$/,
      /\/ffmpeg$/,
      /\/ffprobe$/,
      /\/onnxruntime_binding\.node$/,
      /\/better-sqlite3\/prebuilds\/linux-.*\.node$/,
      /\/skia\..*\.node$/,
      /\/resources\/fonts\/.*\.ttf$/,
      /^\.\/lib\/systemd\/system\/cutroom\.service$/,
      /\/cutroom\.cdx\.json$/,
      /\/THIRD-PARTY-LICENCES\.txt$/,
      /\/SOURCE-OFFER\.txt$/,
      /\/CHANGELOG\.md$/,
    ])
      must(has(wanted), `nothing in it is ${String(wanted)}`)
    for (const unwanted of [
      /\.map$/,
      /\.d\.[mc]?ts$/,
      /(win32|darwin|musl|arm).*\.(node|so|dll|dylib|exe)/,
      /\/(electron|vite|svelte|typescript|drizzle-kit)\//,
      /\.test\./,
    ])
      must(!has(unwanted), `${paths.find((path) => unwanted.test(path)) ?? ''} should not be in it`)
    const { stdout: size } = await run('dpkg-deb', ['--field', made.deb, 'Installed-Size'])
    steps.figure('installed', `${(Number(size) / 1000).toFixed(0)} MB in ${lines.length} entries`)
  })
}
