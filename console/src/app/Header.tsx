import './header.css';
import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Suspense } from 'react';
import { useAfterFirstPaint } from '../ui/browser/after-first-paint.ts';
import { lazyComponent } from '../ui/page/lazy-component.tsx';
import { Search } from './palette/Search.tsx';
import { TabBar } from './TabBar.tsx';

const HeaderTools = lazyComponent(
  async () => (await import('./HeaderTools.tsx')).HeaderTools,
  () => null,
);

interface Props {
  collapsed: boolean;
  onCollapse: () => void;
}

/** Header: menu toggle, tabs, search, zone, display settings, exports, bell and operator menu. */
export function Header({ collapsed, onCollapse }: Props) {
  const isIdle = useAfterFirstPaint();
  // Reserves the final width, so that nothing moves.
  const place = <span className="ht-app-tools-place" />;
  return (
    <header className="ht-app-header">
      <Button
        type="text"
        icon={collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        aria-label={collapsed ? '展开菜单' : '收起菜单'}
        title={collapsed ? '展开菜单' : '收起菜单'}
        aria-expanded={!collapsed}
        onClick={onCollapse}
      />
      <TabBar />
      <div className="ht-app-tools">
        <Search />
        {isIdle ? (
          <Suspense fallback={place}>
            <HeaderTools />
          </Suspense>
        ) : (
          place
        )}
      </div>
    </header>
  );
}
