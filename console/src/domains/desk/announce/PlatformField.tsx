import { announcePlatforms } from '@hengtai/contract/wire/input-values';
import { Radio } from 'antd';
import { useId } from 'react';

/** Where the platform shows the announcement: everywhere, on the web or in the app. */
export function PlatformField({
  value,
  disabled,
  onChange,
}: {
  value: number;
  disabled: boolean;
  onChange: (platform: number) => void;
}) {
  const id = useId();
  return (
    <div className="ht-dialog-field">
      <span id={id} className="ht-announce-label">
        展示端
      </span>
      <Radio.Group
        aria-labelledby={id}
        value={value}
        disabled={disabled}
        options={Object.entries(announcePlatforms).map(([key, label]) => ({ value: Number(key), label }))}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </div>
  );
}
