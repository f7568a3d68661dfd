/** What a person does in the studio, counted: each click, each field that is filled, each key is one action. */
import type { Locator, Page } from 'playwright'

export interface Hand {
  readonly click: (target: Locator) => Promise<void>
  readonly doubleClick: (target: Locator) => Promise<void>
  readonly fill: (target: Locator, text: string) => Promise<void>
  readonly choose: (target: Locator, label: string) => Promise<void>
  readonly press: (page: Page, key: string) => Promise<void>
  /** How many since it was asked last. */
  readonly taken: () => number
}

export function createHand(): Hand {
  let actions = 0
  const counted =
    <Given extends unknown[]>(act: (...given: Given) => Promise<unknown>) =>
    async (...given: Given): Promise<void> => {
      actions += 1
      await act(...given)
    }
  return {
    click: counted((target: Locator) => target.click()),
    doubleClick: counted((target: Locator) => target.dblclick()),
    fill: counted((target: Locator, text: string) => target.fill(text)),
    choose: counted((target: Locator, label: string) => target.selectOption({ label })),
    press: counted((page: Page, key: string) => page.keyboard.press(key)),
    taken: () => {
      const taken = actions
      actions = 0
      return taken
    },
  }
}
