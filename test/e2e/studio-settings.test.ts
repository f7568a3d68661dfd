/**
 * The settings in a real Chromium: an owner through every section, by keyboard where it matters, and what a viewer
 * sees. Every section is checked by axe in both themes.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../server/db/client.ts'
import { insertOperation } from '../../server/db/operations.ts'
import { homePaths } from '../../server/home.ts'
import { newId } from '../../server/ids.ts'
import { pretendModel } from '../support/language-model.ts'
import { pretendSpeechServer, SERVER_KEY } from '../support/speech-server.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { readApiPages } from './studio/api-pages.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

let studio: StudioBrowser
let page: Page

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
}, 180_000)
afterAll(async () => {
  if (chromium !== null) await studio.close()
})

const dialog = () => page.getByRole('dialog')
async function section(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 2 }).waitFor()
}
/** An operation that failed, may succeed, and was not tried again. */
function giveUp(): void {
  const db = openDatabase(homePaths(studio.home).database)
  try {
    const id = insertOperation(db, { companyId: 'local', kind: 'thumbnail', subjectId: newId(), now: 1 })
    const failure = JSON.stringify({ code: 'STAGE_FAILED', message: 'The tool ended too early.' })
    db.sqlite
      .prepare("update operations set state = 'failed', attempts = 3, failure = ? where id = ?")
      .run(failure, id)
  } finally {
    db.close()
  }
}
/** Deliveries to the only webhook, which failed until they were given up. */
function missTelling(): void {
  const db = openDatabase(homePaths(studio.home).database)
  try {
    const event = newId()
    const delivery = newId()
    db.sqlite
      .prepare(
        `insert into events (id, company_id, type, subject_id, data, at) values (?, 'local', 'post.failed', ?, '{}', ?)`,
      )
      .run(event, newId(), Date.now())
    db.sqlite
      .prepare(
        `insert into webhook_deliveries (id, webhook_id, event_id, state, attempts, available_at, response_status, error, created_at, updated_at)
         select ?, id, ?, 'dead', 8, 0, 500, 'answered 500', ?, 0 from webhooks`,
      )
      .run(delivery, event, Date.now())
  } finally {
    db.close()
  }
}
/** Checks accessibility and takes a picture, in both themes. */
async function checkAccessibility(name: string): Promise<void> {
  expect(await violations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await shot(page, `settings-${name}`)
}

describe.skipIf(chromium === null)('an owner', () => {
  let link = ''

  it('sees the models, what each is for, and installs from the inbox', async () => {
    await page.getByText('Speech to text').waitFor()
    await page
      .getByText(/Licence:/)
      .first()
      .waitFor()
    await page.getByText('The folder is empty.').waitFor()
    await mkdir(join(studio.home, 'models-inbox', 'from-a-disk'))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('button', { name: 'Install from from-a-disk' }).click()
    // The folder is empty: the error is shown next to its field.
    await page.getByRole('alert').filter({ hasText: /model/ }).waitFor()
    await checkAccessibility('models')
  })

  it('tries again what was given up, on the first page', async () => {
    giveUp()
    await page.goto(new URL('/', studio.appliance.url).href)
    await page.getByRole('heading', { name: 'Failed', exact: true }).waitFor()
    await page.getByText('The tool ended too early.').waitFor()
    await checkAccessibility('given-up')
    await page.getByRole('button', { name: /Try again: Thumbnail/ }).click()
    await page.getByRole('heading', { name: 'Failed', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
  })

  it('sees what the machine has', async () => {
    await section('Hardware')
    await page.getByText(/^Checked /).waitFor()
    const names = await page.getByRole('listitem').locator('strong').allTextContents()
    const words = ['Program', 'Disk space', 'Video tools', 'Graphics card', 'Running models', 'Database']
    expect(names).toEqual(expect.arrayContaining(words))
    // No name of the doctor's own.
    expect(names.filter((name) => /^[a-z]/.test(name))).toEqual([])
    await checkAccessibility('hardware')
  })

  it('sees what uses the disk, and what would be deleted, before deleting', async () => {
    await section('Storage')
    await page
      .getByRole('row', { name: /Database/ })
      .getByText(/[KM]B$/)
      .waitFor()
    await page.getByRole('button', { name: 'Check what can be deleted' }).click()
    await page.getByRole('checkbox', { name: /Uploads that no run needs/ }).waitFor()
    await page.getByRole('button', { name: 'Nothing to delete' }).waitFor()
    await page.getByRole('heading', { name: 'Deleted automatically' }).waitFor()
    const days = page.getByLabel('Stored for: Sources that no clip needs')
    expect(await days.inputValue()).toBe('0')
    await days.selectOption({ label: '30 days' })
    await page.getByText(/^Not saved\./).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved. It holds from the next sweep on.').waitFor()
    expect(await days.inputValue()).toBe('30')
    await page
      .getByRole('row', { name: /No limit/ })
      .first()
      .waitFor()
    await checkAccessibility('storage')
  })

  it('makes a key, sees it once, and revokes it, all by the keyboard', async () => {
    await section('API keys')
    await page.getByLabel('What it is for').focus()
    await page.keyboard.type('render farm')
    const boxes = page.getByRole('group', { name: 'What it may do' })
    // Nothing is ticked at first, so that a key does nothing by accident.
    expect(await boxes.getByRole('checkbox', { checked: true }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    for (const name of [/^Look/, /^Render/]) {
      await boxes.getByRole('checkbox', { name }).focus()
      await page.keyboard.press('Space')
    }
    const end = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel(/^Ends on/).fill(end)
    await page.getByLabel('What it is for').focus()
    await page.keyboard.press('Enter')
    const key = await dialog().getByLabel('API key').inputValue()
    expect(key).toMatch(/^ck_[\w-]{65}$/)
    await checkAccessibility('keys-shown')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    const opens = async () =>
      (await fetch(`${studio.appliance.url}/studio/session`, { headers: { authorization: `Bearer ${key}` } }))
        .status
    expect(await opens()).toBe(200)
    const row = page.getByRole('row', { name: /render farm/ })
    await row.getByText('Look, render', { exact: true }).waitFor()
    await row.getByText(/^Ends in [345] days$/).waitFor()
    await page.getByRole('button', { name: 'Revoke render farm' }).focus()
    await page.keyboard.press('Enter')
    await dialog().getByRole('button', { name: 'Revoke', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 revoked key').waitFor()
    expect(await opens()).toBe(401)
    await checkAccessibility('keys')
  })

  it('registers a client, grants to it and takes that back', async () => {
    await section('Clients')
    await page.getByLabel('ID', { exact: true }).fill('planner')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('button', { name: /^Grant access to Local/ }).click()
    const form = page.getByRole('form', { name: 'Choose what it may do for Local' })
    await form.getByRole('checkbox', { name: /^Edit/ }).check()
    await checkAccessibility('clients-scopes')
    await form.getByRole('button', { name: 'Grant for 90 days' }).click()
    await page.getByText(/^until /).waitFor()
    await page.getByText('Edit', { exact: true }).first().waitFor()
    await checkAccessibility('clients')
    await page.getByRole('button', { name: 'Revoke' }).click()
    await dialog().getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: /^Grant access to Local/ }).waitFor()
  })

  it('makes a webhook by the keyboard, sees its secret once, and sends again what was given up', async () => {
    await section('Webhooks')
    await page.getByText('No webhooks yet.').waitFor()
    await page.getByLabel('Address').focus()
    // No server listens there.
    await page.keyboard.type('http://127.0.0.1:9/hooks')
    await page.getByRole('radio', { name: 'only these' }).check()
    await page.getByRole('group', { name: 'Posts' }).getByLabel('all of them').check()
    await page.getByRole('group', { name: 'Runs' }).getByLabel('failed').check()
    await checkAccessibility('webhooks-new')
    await page.getByLabel('Address').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog().getByLabel('Secret').inputValue()).toMatch(/^whsec_[\w-]{43}$/)
    await page.keyboard.press('Escape')
    await page.getByText('Events: run.failed, post.*').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    missTelling()
    await page.getByRole('button', { name: 'Deliveries' }).click()
    await page.getByRole('row', { name: /post.failed.*Failed.*answered 500/ }).waitFor()
    await checkAccessibility('webhooks')
    await page.getByRole('button', { name: /^Resend: post.failed/ }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('row', { name: /post.failed.*Waiting/ }).waitFor()
    await page.getByRole('button', { name: /^Delete the webhook/ }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet.').waitFor()
  })

  it('has voices recognised by name only once that is turned on', async () => {
    await section('Voices')
    const recognise = page.getByRole('checkbox', { name: 'Recognise voices by name' })
    expect(await recognise.isChecked()).toBe(false)
    await page.getByText('A voiceprint is biometric data').waitFor()
    await recognise.click()
    await page.getByText('No named voices yet.').waitFor()
    await checkAccessibility('voices')
    await recognise.click()
    await page.getByText('No named voices yet.').waitFor({ state: 'detached' })
  })

  it('invites a person, and stays the last owner', async () => {
    await section('People')
    await page.getByText('approves posts. An editor edits').waitFor()
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('viewer')
    await page.getByRole('button', { name: 'Create invitation' }).click()
    link = await dialog().getByLabel('Invitation link').inputValue()
    expect(link).toContain('/#/welcome/')
    await dialog().getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('Role of Owner').selectOption('viewer')
    await page.getByRole('alert').filter({ hasText: 'last owner' }).waitFor()
    expect(await page.getByLabel('Role of Owner').inputValue()).toBe('owner')
    await checkAccessibility('people')
    studio.complaints.length = 0
  })

  it('makes a backup that can be downloaded, and reads how to restore it', async () => {
    await section('Backup')
    await page.getByRole('button', { name: 'Create backup' }).click()
    const fetched = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Download cutroom-/ }).click()
    const stream = await (await fetched).createReadStream()
    const first = await new Promise<Buffer>((resolve, reject) =>
      stream.once('data', (chunk) => resolve(chunk as Buffer)).once('error', reject),
    )
    stream.destroy()
    expect(first.subarray(0, 15).toString()).toBe('SQLite format 3')
    await page.getByText('Set by whoever runs the appliance').click()
    await page.getByText(/cutroom restore .*cutroom-\d{8}T\d{6}Z\.sqlite/).waitFor()
    await page.getByText(/^The last one: .* less than an hour ago, /).waitFor()
    await checkAccessibility('backup')
  })

  it('reads who did what, and finds what was refused', async () => {
    await section('Audit log')
    const rows = page.getByRole('region', { name: 'Audit log entries' }).getByRole('row')
    await rows.filter({ hasText: 'Created a backup' }).getByText('Done').waitFor()
    await rows.filter({ hasText: 'Signed in by a link' }).first().waitFor()
    await page.getByLabel('Result').selectOption('refused')
    const refused = rows.filter({ hasText: 'Tried to change a person’s name or role' })
    await refused.getByText('Refused (409)').waitFor()
    await expect.poll(() => rows.filter({ hasText: 'Created a backup' }).count()).toBe(0)
    expect(await refused.getByText('PATCH').count()).toBe(0)
    await page.getByLabel('Technical details').check()
    await refused.getByText('PATCH /studio/people/:personId').waitFor()
    await checkAccessibility('audit')
  })

  it('sets a language model of the studio’s own and sees whether it answers, and the licences', async () => {
    const model = await pretendModel(() => ({ raw: JSON.stringify({ data: [{ id: 'small' }] }) }))
    await section('Language and speech')
    const form = page.getByRole('region', { name: 'Language model' })
    await form.getByLabel('Address').fill(model.url)
    await form.getByLabel('Model', { exact: true }).fill('large')
    await form.getByLabel('Key (optional)').fill('sk-typed')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('It answers, and has no large: it has small.').waitFor()
    await form.getByLabel('Model', { exact: true }).fill('small')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('It answers, and has small.').waitFor()
    expect(await form.getByLabel('Key (optional)').inputValue()).toBe('')
    await checkAccessibility('model-servers')
    await form.getByRole('button', { name: 'Remove' }).click()
    await form.getByText('Removed.').waitFor()
    await model.stop()
    const speech = await pretendSpeechServer(() => ({}))
    const server = page.getByRole('region', { name: 'Speech server' })
    await server.getByLabel('Address').fill(speech.url)
    await server.getByLabel('Model', { exact: true }).fill('large-v3')
    await server.getByLabel('Key (optional)').fill('sk-of-somebody-else')
    await server.getByRole('button', { name: 'Save' }).click()
    await server.getByRole('status').filter({ hasText: 'key' }).waitFor()
    await server.getByLabel('Key (optional)').fill(SERVER_KEY)
    await server.getByRole('button', { name: 'Save' }).click()
    await server.getByText('It answers, and has large-v3.').waitFor()
    await speech.stop()
    await server.getByRole('button', { name: 'Test', exact: true }).click()
    await server.getByText('Check the address').waitFor()
    await server.getByRole('button', { name: 'Remove' }).click()
    await server.getByText('Removed.').waitFor()
    await section('About')
    await page.getByRole('cell', { name: 'Montserrat', exact: true }).waitFor()
    await page.getByLabel(/^Search \d+ packages/).fill('better-sqlite3')
    await page.getByRole('cell', { name: 'better-sqlite3', exact: true }).waitFor()
    await checkAccessibility('about')
    expect(studio.complaints).toEqual([])
  })

  it('fits every section in narrow and wide windows', async () => {
    for (const width of [900, 1600]) {
      await page.setViewportSize({ width, height: 800 })
      for (const name of ['People', 'Storage', 'Audit log']) {
        await section(name)
        await page.getByRole('table').first().waitFor()
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0)
        await shot(page, `settings-${name.toLowerCase().replace(' ', '-')}-${width}`)
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('is offered both APIs on pages that send no request to other hosts', () => readApiPages(studio))

  it('differs from a viewer, who is refused by the studio and by the server', async () => {
    const other: BrowserContext | undefined = await studio.context.browser()?.newContext()
    if (other === undefined) throw new Error('no browser')
    const theirs = await other.newPage()
    await theirs.goto(link)
    await theirs.getByLabel('Your name').fill('Ada')
    await theirs.getByLabel('Email address').fill('ada@example.com')
    await theirs.getByLabel('Password', { exact: true }).fill('the heron left before noon')
    await theirs.getByRole('button', { name: 'Join with a password' }).click()
    await theirs.getByRole('link', { name: 'Settings', exact: true }).click()
    await theirs.getByText('Signed in as Ada, viewer').waitFor()
    await theirs.getByText('Speech to text').waitFor()
    expect(await theirs.getByRole('button', { name: /^Install/ }).count()).toBe(0)
    await theirs.getByRole('link', { name: /^People/ }).click()
    await theirs.getByText('You are a viewer here, and this is for owners.').waitFor()
    expect(await violations(theirs)).toEqual([])
    await shot(theirs, 'settings-viewer')
    // Other pages offer nothing either that the appliance would refuse.
    await theirs.getByRole('link', { name: 'Publish', exact: true }).click()
    await theirs.getByText('You are a viewer here, and this is for editors.').waitFor()
    expect(await theirs.getByRole('button', { name: /^New post/ }).count()).toBe(0)
    await theirs.getByRole('link', { name: 'Home', exact: true }).click()
    await theirs.getByText('You are a viewer here, and this is for editors.').waitFor()
    expect(await theirs.getByRole('button', { name: 'Make clips' }).count()).toBe(0)
    expect(await violations(theirs)).toEqual([])
    const refused = await other.request.get(`${studio.appliance.url}/studio/people`)
    expect([refused.status(), ((await refused.json()) as { code: string }).code]).toEqual([
      403,
      'ROLE_NOT_ALLOWED',
    ])
    // Removed by the owner: the next request is not signed in.
    await section('People')
    await page.getByRole('button', { name: 'Remove Ada' }).click()
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('row', { name: /Ada/ }).waitFor({ state: 'detached' })
    expect((await other.request.get(`${studio.appliance.url}/studio/session`)).status()).toBe(401)
    await other.close()
  })
})
