/** The pages of the studio: a new one is a component and one entry here. The first is home. */
import {
  CalendarClock,
  ChartColumn,
  Clapperboard,
  House,
  Images,
  ListChecks,
  Palette,
  Settings,
  Workflow,
} from '@lucide/svelte'
import type { Component } from 'svelte'
import { pages as messages } from './messages/shell.ts'
import { lazyComponent, type LazyComponent } from './ui/lazy-component.svelte.ts'

type PageProps = { id: string | null }
type Load = () => Promise<{ readonly default: Component<PageProps> }>

interface StudioPage {
  /** First word of its address; empty: home. */
  readonly name: string
  readonly label: string
  readonly icon: Component
  readonly component: LazyComponent<PageProps>
  /** The page that it is opened from, and that the navigation shows for it; absent: it is in the navigation itself. */
  readonly from?: string
}

/** `load` fetches the code when the page is first shown. */
const page = (name: string, label: string, icon: Component, load: Load, from?: string): StudioPage => ({
  name,
  label,
  icon,
  component: lazyComponent(load),
  ...(from === undefined ? {} : { from }),
})

export const PAGES: readonly StudioPage[] = [
  page('', messages.home, House, () => import('./pages/Home.svelte')),
  page('review', messages.review, Clapperboard, () => import('./pages/Review.svelte'), ''),
  page('clips', messages.clips, Clapperboard, () => import('./pages/Clips.svelte')),
  page('library', messages.library, Images, () => import('./pages/Library.svelte')),
  page('brands', messages.brands, Palette, () => import('./pages/Brands.svelte'), 'library'),
  page('workflows', messages.workflows, Workflow, () => import('./pages/Workflows.svelte')),
  page('publish', messages.publish, CalendarClock, () => import('./pages/Publish.svelte')),
  page('analytics', messages.analytics, ChartColumn, () => import('./pages/Analytics.svelte')),
  page('set-up', messages.setUp, ListChecks, () => import('./pages/SetUp.svelte'), 'settings'),
  page('settings', messages.settings, Settings, () => import('./pages/Settings.svelte')),
]
