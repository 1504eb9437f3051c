import { notificationSpecs, soundTypes } from '@hengtai/contract/desk/notify/notification';
import { Button, Checkbox, Select, Switch } from 'antd';
import { playTone, useSoundChoice } from './sound.ts';

const HALF_HOURS = Array.from({ length: 48 }, (_, index) => {
  const hour = String(Math.floor(index / 2)).padStart(2, '0');
  return { value: index * 30, label: `${hour}:${index % 2 === 0 ? '00' : '30'}` };
});
const KINDS = soundTypes.map((type) => ({ value: type, label: notificationSpecs[type].label }));

/** Settings of the notification sound: on or off, kinds, quiet hours. */
export function SoundSettings() {
  const [choice, setChoice] = useSoundChoice();
  const change = (part: Partial<typeof choice>) => setChoice({ ...choice, ...part });
  return (
    <div className="ht-notification-sound">
      <div className="ht-notification-row">
        <span>新事项到达时播放提示音</span>
        <Switch size="small" aria-label="播放提示音" checked={choice.on} onChange={(on) => change({ on })} />
        <Button size="small" onClick={() => void playTone()}>
          试听
        </Button>
      </div>
      <Checkbox.Group
        className="ht-notification-kinds"
        disabled={!choice.on}
        options={KINDS}
        value={[...choice.kinds]}
        onChange={(kinds) => change({ kinds })}
      />
      <div className="ht-notification-row">
        <span>免打扰时段</span>
        <Switch
          size="small"
          aria-label="免打扰时段"
          disabled={!choice.on}
          checked={choice.quiet}
          onChange={(quiet) => change({ quiet })}
        />
        <Hour
          label="免打扰开始"
          value={choice.from}
          isDisabled={!choice.on || !choice.quiet}
          onChange={(from) => change({ from })}
        />
        <span>至</span>
        <Hour
          label="免打扰结束"
          value={choice.to}
          isDisabled={!choice.on || !choice.quiet}
          onChange={(to) => change({ to })}
        />
      </div>
    </div>
  );
}

interface HourProps {
  label: string;
  value: number;
  isDisabled: boolean;
  onChange: (minute: number) => void;
}

function Hour({ label, value, isDisabled, onChange }: HourProps) {
  return (
    <Select
      size="small"
      aria-label={label}
      disabled={isDisabled}
      options={HALF_HOURS}
      value={value}
      onChange={onChange}
      // Renders the popup inside the panel, so that it is in the same stacking layer.
      getPopupContainer={(node: HTMLElement) => node.closest<HTMLElement>('.ht-notification-panel') ?? document.body}
    />
  );
}
