import { describe, expect, test } from 'vitest'
import { allItems, fakeDeps, fakeElectron, settled } from './fake-electron.ts'
import { startShell } from './shell.ts'
import { LOGS, RETRY } from './studio-window.ts'

const STUDIO = 'http://127.0.0.1:4001'
const SIGN_IN = `${STUDIO}/studio/sign-in?token=t`

/** A shell whose appliance is there. */
async function running(
  options: Parameters<typeof fakeElectron>[0] = {},
  changes: Parameters<typeof fakeDeps>[0] = {},
) {
  const fake = fakeElectron(options)
  const world = fakeDeps(changes)
  await startShell(fake.electron, world.deps)
  world.launched[0]?.come()
  await settled()
  return { ...fake, ...world }
}

const pageOf = (url = ''): string => decodeURIComponent(url)

describe('one instance, one window', () => {
  test('a second instance quits, and starts no appliance and no window', async () => {
    const { electron, seen, windows } = fakeElectron({ firstInstance: false })
    const { launched, deps } = fakeDeps()
    await startShell(electron, deps)
    expect({ quits: seen.quits, windows: windows.length, launched: launched.length }).toEqual({
      quits: 1,
      windows: 0,
      launched: 0,
    })
  })

  test('shows that it starts, then the signed-in studio; a second start brings it to the front', async () => {
    const { seen, emit, windows } = await running()
    expect(pageOf(seen.loaded[0])).toContain('Cutroom is starting')
    expect(seen.loaded.at(-1)).toBe(SIGN_IN)
    const before = seen.fronts
    emit('second-instance', {}, ['/cutroom'], '/videos')
    expect(seen.fronts).toBe(before + 1)
    expect(windows).toHaveLength(1)
  })

  test('on macOS the appliance outlives the window, and the dock opens another, signed in already', async () => {
    const { seen, emit, emitWindow, windows } = await running({}, { platform: 'darwin' })
    emitWindow('closed')
    emit('window-all-closed')
    expect(seen.quits).toBe(0)
    emit('activate')
    expect(windows).toHaveLength(2)
    expect(seen.loaded.at(-1)).toBe(`${STUDIO}/`)
  })

  test('quitting stops the appliance first, once; the window does not come back meanwhile', async () => {
    const { seen, emit, launched, windows } = await running()
    emit('window-all-closed')
    emit('before-quit', { preventDefault: () => undefined })
    emit('second-instance', {}, ['/cutroom'], '/videos')
    await settled()
    expect(launched.map(({ stops }) => stops)).toEqual([1])
    expect({ quits: seen.quits, windows: windows.length }).toEqual({ quits: 1, windows: 1 })
  })
})

describe('the window shows the studio and nothing else', () => {
  test('other addresses open outside; what is no web address opens nowhere', async () => {
    const { seen, emitWindow } = await running()
    expect(emitWindow('will-navigate', `${STUDIO}/clips`)).toBe(false)
    for (const url of [
      'https://elsewhere.example/',
      'file:///etc/passwd',
      'javascript:0',
      'http://127.0.0.1:4002/',
      RETRY,
    ])
      expect(emitWindow('will-navigate', url), url).toBe(true)
    expect(seen.opened?.({ url: 'https://example.com/help' })).toEqual({ action: 'deny' })
    expect(seen.opened?.({ url: 'file:///etc/passwd' })).toEqual({ action: 'deny' })
    expect(seen.outside).toEqual([
      'https://elsewhere.example/',
      'http://127.0.0.1:4002/',
      'https://example.com/help',
    ])
    expect(emitWindow('will-redirect', 'https://elsewhere.example/')).toBe(true)
    expect(emitWindow('will-attach-webview')).toBe(true)
    // Prevented is the keeping, not the leaving.
    expect(emitWindow('will-prevent-unload')).toBe(true)
  })

  test('pages get no permission but two, and no content from elsewhere', async () => {
    const { seen } = await running()
    const { rules } = seen
    expect(rules?.allowsPermission('fullscreen', `${STUDIO}/`)).toBe(true)
    expect(rules?.allowsPermission('fullscreen', 'https://elsewhere.example/')).toBe(false)
    for (const permission of ['media', 'geolocation', 'notifications', 'openExternal', 'hid'])
      expect(rules?.allowsPermission(permission, `${STUDIO}/`), permission).toBe(false)
    for (const url of [`${STUDIO}/assets/a.js`, 'ws://127.0.0.1:4001/x', 'data:text/html,x', 'blob:x'])
      expect(rules?.allowsRequest(url), url).toBe(true)
    for (const url of [
      'https://cdn.example/a.js',
      'file:///etc/passwd',
      'wss://elsewhere.example/',
      'HTTP://127.0.0.1:4002/',
    ])
      expect(rules?.allowsRequest(url), url).toBe(false)
  })
})

describe('the appliance is supervised, and its state is seen', () => {
  test('it is started again later each time, and the page says why; a steady one starts anew at once', async () => {
    const { seen, launched, pass, clock } = await running()
    const waits: number[] = []
    for (let death = 0; death < 7; death += 1) {
      launched.at(-1)?.die('The disk is <gone>.')
      await settled()
      expect(pageOf(seen.loaded.at(-1))).toContain('The disk is &#60;gone&#62;.')
      waits.push(pass())
    }
    expect(waits).toEqual([500, 1000, 2000, 5000, 10_000, 30_000, 30_000])
    launched.at(-1)?.come()
    await settled()
    expect(seen.loaded.at(-1)).toBe(`http://127.0.0.1:4008/studio/sign-in?token=t`)
    clock.now += 60_000
    launched.at(-1)?.die('crashed')
    await settled()
    expect(pass()).toBe(500)
    expect(seen.quits).toBe(0)
  })

  test('its page offers to start now and to show the logs, without scripts or anything from outside', async () => {
    const { seen, launched, emitWindow, timers } = await running()
    launched[0]?.die('crashed')
    await settled()
    const page = pageOf(seen.loaded.at(-1))
    expect(page).toMatch(/default-src 'none'; style-src 'sha256-[^']+'"/)
    expect(page).not.toMatch(/<script|https?:/)
    expect(emitWindow('will-navigate', LOGS)).toBe(true)
    expect(seen.folders).toEqual(['/logs'])
    expect(emitWindow('will-navigate', RETRY)).toBe(true)
    expect(launched).toHaveLength(2)
    // The start that was waited for does not happen as well.
    expect(timers.filter(({ milliseconds, off }) => milliseconds === 500 && !off)).toEqual([])
  })
})

describe('files from outside', () => {
  const sourcesOf = (messages: unknown[]) => messages.map((message) => (message as [string, object])[1])

  test('a file that it is started with is sent once the studio is there, and Home is told', async () => {
    const { seen, sent, emit, emitWindow } = await running(
      {},
      { argv: ['/cutroom', '--flag', 'talk.MP4', 'notes.txt'] },
    )
    await settled()
    expect(sent.map(({ path, cookie }) => [path, cookie])).toEqual([['/videos/talk.MP4', 'session-of=4001']])
    sent[0]?.progress(0.5)
    sent[0]?.done()
    await settled()
    expect(sourcesOf(seen.messages)).toEqual([
      { state: 'sending', name: 'talk.MP4', fraction: 0 },
      { state: 'sending', name: 'talk.MP4', fraction: 0.5 },
      { state: 'ready', name: 'talk.MP4', uploadId: 'upload-of-/videos/talk.MP4' },
    ])
    emitWindow('did-finish-load')
    expect(seen.messages).toHaveLength(4)
    // Another page cannot say that it was taken; the studio can.
    emit('cutroom:source-taken', 'https://elsewhere.example/')
    emitWindow('did-finish-load')
    expect(seen.messages).toHaveLength(5)
    emit('cutroom:source-taken', `${STUDIO}/`)
    emitWindow('did-finish-load')
    expect(seen.messages).toHaveLength(5)
  })

  test('a second start hands its file over and opens Home; a later file takes its place', async () => {
    const { seen, sent, emit } = await running()
    emit('second-instance', {}, ['/cutroom', 'one.mov'], '/other')
    await settled()
    expect(seen.loaded.at(-1)).toBe(`${STUDIO}/#/`)
    let prevented = false
    emit('open-file', { preventDefault: () => (prevented = true) }, '/dock/two.mp4')
    await settled()
    expect(prevented).toBe(true)
    expect(seen.notices.map(({ title }) => title)).toEqual(['One video at a time'])
    expect(sent.map(({ path, aborted }) => [path, aborted()])).toEqual([
      ['/other/one.mov', true],
      ['/dock/two.mp4', false],
    ])
  })

  test('of several files at once the first is opened, and that the others wait is said', async () => {
    const { seen, sent, emit } = await running()
    emit('second-instance', {}, ['/cutroom', 'one.mov', 'two.mov'], '/other')
    await settled()
    expect(sent.map(({ path }) => path)).toEqual(['/other/one.mov'])
    expect(seen.notices.map(({ title }) => title)).toEqual(['One video at a time'])
  })

  test('what was not sent whole when the appliance went away is sent to the next one', async () => {
    const { seen, sent, launched, emit, pass } = await running()
    emit('open-file', { preventDefault: () => undefined }, '/a.mp4')
    await settled()
    launched[0]?.die('crashed')
    await settled()
    pass()
    launched[1]?.come()
    await settled()
    expect(sent.map(({ cookie }) => cookie)).toEqual(['session-of=4001', 'session-of=4002'])
    sent[1]?.done()
    await settled()
    expect(sourcesOf(seen.messages).at(-1)).toMatchObject({ state: 'ready' })
  })
})

describe('what goes on is told to the desktop', () => {
  test('progress, no sleep, and a notice at the end that leads there', async () => {
    const { seen, streams } = await running()
    const [stream] = streams
    expect(stream?.cookie).toBe('session-of=4001')
    stream?.send({ type: 'stream.hello', progress: [] })
    stream?.send({ type: 'run.queued', subjectId: 'r1' })
    expect({ progress: seen.progress.at(-1), awake: seen.awake }).toEqual({ progress: 2, awake: 1 })
    stream?.send({ type: 'run.progress', runId: 'r1', progress: 0.4 })
    stream?.send({ type: 'render.progress', clipId: 'c/1', progress: 0.8 })
    expect(seen.progress.at(-1)).toBeCloseTo(0.6)
    stream?.send({ type: 'render.finished', subjectId: 'c/1' })
    stream?.send({ type: 'run.completed', subjectId: 'r1' })
    expect({ progress: seen.progress.at(-1), awake: seen.awake }).toEqual({ progress: -1, awake: 0 })
    expect(seen.notices.map(({ title }) => title)).toEqual(['A clip is rendered', 'Clips are ready'])
    seen.notices[0]?.click()
    expect(seen.loaded.at(-1)).toBe(`${STUDIO}/#/clips/c%2F1`)
  })

  test('no notice while the window is in front, or when the person does not want any', async () => {
    const front = await running({ focused: true })
    front.streams[0]?.send({ type: 'run.failed', subjectId: 'r1' })
    expect(front.seen.notices).toEqual([])
    const { seen, streams, settings } = await running()
    const item = () => allItems(seen.menu).find(({ type }) => type === 'checkbox')
    expect(item()?.checked).toBe(true)
    item()?.click?.()
    expect(settings().notifications).toBe(false)
    expect(item()?.checked).toBe(false)
    streams[0]?.send({ type: 'run.failed', subjectId: 'r1' })
    expect(seen.notices).toEqual([])
  })

  test('a stream that ends is read on from where it was; an appliance that dies leaves nothing awake', async () => {
    const { seen, streams, pass, launched } = await running()
    streams[0]?.send({ type: 'run.processing', subjectId: 'r1' })
    streams[0]?.end()
    await settled()
    expect(pass()).toBe(2000)
    await settled()
    expect(streams.map(({ lastId }) => lastId)).toEqual([null, '7'])
    launched[0]?.die('crashed')
    await settled()
    expect({ progress: seen.progress.at(-1), awake: seen.awake }).toEqual({ progress: -1, awake: 0 })
  })
})

describe('updates', () => {
  test('nobody is asked by default, not even when a person could', async () => {
    const requests: string[] = []
    const { seen, timers } = await running(
      {},
      { fetchJson: (url) => Promise.resolve(void requests.push(url)) },
    )
    const item = allItems(seen.menu).find(({ label = '' }) => /update/i.test(label))
    expect(item?.enabled).toBe(false)
    item?.click?.()
    await settled()
    expect({ requests, timers: timers.length }).toEqual({ requests: [], timers: 0 })
  })

  test('where an address is set, a newer version is told, and fetched by nobody but the person', async () => {
    const { seen, pass } = await running(
      {},
      {
        readSettings: () => ({ notifications: true, updateAddress: 'https://releases.example' }),
        fetchJson: (url) => {
          expect(url).toBe('https://releases.example/latest.json')
          return Promise.resolve({ version: '1.10.0', page: 'https://releases.example/1.10' })
        },
      },
    )
    // When it began the appliance was not up yet.
    expect(pass()).toBe(60_000)
    await settled()
    expect(seen.notices.map(({ title }) => title)).toEqual(['Cutroom 1.10.0 is available'])
    seen.notices[0]?.click()
    expect(seen.outside).toEqual(['https://releases.example/1.10'])
    expect(pass()).toBe(24 * 3600 * 1000)
  })

  test('a look that failed is not one that found nothing: who asked is told why, nobody else is', async () => {
    let answer: () => Promise<unknown> = () => Promise.reject(new Error('releases.example does not answer.'))
    const { seen, pass } = await running(
      {},
      {
        readSettings: () => ({ notifications: true, updateAddress: 'https://releases.example' }),
        fetchJson: () => answer(),
      },
    )
    pass()
    await settled()
    expect(seen.notices).toEqual([])
    const look = async () => {
      allItems(seen.menu)
        .find(({ label = '' }) => /update/i.test(label))
        ?.click?.()
      await settled()
      return seen.notices.at(-1)
    }
    expect(await look()).toMatchObject({
      title: 'Could not check for updates',
      body: 'releases.example does not answer.',
    })
    answer = () => Promise.resolve({ version: '1.2.3', page: 'https://releases.example/' })
    expect(await look()).toMatchObject({ title: 'Cutroom is up to date', body: '1.2.3' })
    seen.notices.at(-1)?.click()
    expect(seen.outside).toEqual([])
  })

  test('where the network is off nobody is asked, and a person is told so; before the appliance is up it waits', async () => {
    const { seen, pass } = await running(
      {},
      {
        readSettings: () => ({ notifications: true, updateAddress: 'https://releases.example' }),
        hasNetwork: () => Promise.resolve(false),
      },
    )
    expect(pass()).toBe(60_000)
    await settled()
    expect(seen.notices).toEqual([])
    allItems(seen.menu)
      .find(({ label = '' }) => /update/i.test(label))
      ?.click?.()
    await settled()
    expect(seen.notices.map(({ title }) => title)).toEqual(['Updates were not checked'])
    expect(pass()).toBe(24 * 3600 * 1000)
  })
})
