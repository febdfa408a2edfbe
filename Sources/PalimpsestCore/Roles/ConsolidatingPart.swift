/// A part that does nothing until an experience has ended: a penalty without an anchor, a memory that selects what it keeps
/// from all rows of an experience. In a stream of which no end is told it would be an empty name, so such files are refused.
public protocol ConsolidatingPart: StrategyPart {}
