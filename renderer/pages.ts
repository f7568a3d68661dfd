/** The rooms of the studio: a new one is a page and one entry here. The first is home. */
import { CalendarClock, ChartColumn, Clapperboard, House, Settings, Workflow } from '@lucide/svelte'
import type { Component } from 'svelte'
import Analytics from './pages/Analytics.svelte'
import Clips from './pages/Clips.svelte'
import Home from './pages/Home.svelte'
import SettingsPage from './pages/Settings.svelte'
import Workflows from './pages/Workflows.svelte'
import Publish from './pages/Publish.svelte'

export interface Room {
  /** First word of its address; empty: home. */
  readonly name: string
  readonly label: string
  readonly icon: Component
  readonly page: Component<{ id: string | null }>
}

export const ROOMS: readonly Room[] = [
  { name: '', label: 'Home', icon: House, page: Home },
  { name: 'clips', label: 'Clips', icon: Clapperboard, page: Clips },
  { name: 'workflows', label: 'Workflows', icon: Workflow, page: Workflows },
  { name: 'publish', label: 'Publish', icon: CalendarClock, page: Publish },
  { name: 'analytics', label: 'Analytics', icon: ChartColumn, page: Analytics },
  { name: 'settings', label: 'Settings', icon: Settings, page: SettingsPage },
]
