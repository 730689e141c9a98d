#pragma once

#include <kaon/detail/dataset/DataframeNode.h>
#include <kaon/detail/expression/Expression.h>

#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// The names that expressions know after a node of a dataframe: first defined names, then names of
/// the dataset.
class NodeScope final : public expression::Scope {
public:
  explicit NodeScope(const detail::DataframeNode& node);
  [[nodiscard]] expression::NameMeaning find(std::string_view name) const override;
  /// Returns the name of a stored column in expressions. Only expressions see that values are
  /// missing.
  [[nodiscard]] std::string nameOf(std::string_view stored) const;
  /// Returns whether a name is part of an optional: a member of a component that may be missing,
  /// "Hits.at.x", or a presence, "Hits.time.has_value".
  [[nodiscard]] bool isInOptional(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const override;
  [[nodiscard]] std::string where() const override;
  [[nodiscard]] std::string whyUnread(std::string_view name) const override;

private:
  [[nodiscard]] expression::NameMeaning find(const detail::DataframeNode& node,
                                             std::string_view name) const;
  [[nodiscard]] static expression::OptionalName optionalOf(const detail::DataframeNode& step,
                                                           std::string_view name);
  [[nodiscard]] expression::NameMeaning reframed(const expression::OptionalName& optional,
                                                 const detail::DataframeNode& node) const;
  [[nodiscard]] expression::NameMeaning findInFrame(const detail::DataframeNode& node,
                                                    std::string_view name) const;
  [[nodiscard]] expression::NameMeaning findInDataset(std::string_view name) const;

  const detail::DataframeNode* m_node;
  expression::SchemaScope m_schema;
};

/// Returns an expression as a formula, with the names known at a node. Throws the errors of
/// Expression.
[[nodiscard]] detail::Formula formulaOf(const expression::Expression& expression,
                                        const detail::DataframeNode& node);

/// Returns which values and lists of an expression may be missing.
[[nodiscard]] detail::Missing missingIn(const expression::Expression& expression);

/// Returns the formulas of the bools that tell which values of an expression exist, then which
/// lists. For parts that are never missing, the bools are all true. Throws Error(type) for texts.
[[nodiscard]] std::vector<detail::Formula>
presenceFormulas(const expression::Expression& expression, const detail::Missing& missing,
                 const detail::DataframeNode& node);

/// Returns a formula as a column after a node.
/// @param name the column's name in messages
/// @param expression the text of the formula; equal texts after the same node are computed once
[[nodiscard]] detail::ColumnArgument
argumentOf(detail::Formula formula, std::string name,
           const std::shared_ptr<const detail::DataframeNode>& node, std::string expression = {});

/// Returns whether a text is an expression with values, not a collection or component.
[[nodiscard]] bool hasValues(std::string_view text, const NodeScope& scope);

/// Returns the column of this name after a node, or else the values of the text as an expression.
/// Throws Error(name) with a suggestion, Error(type), and the errors of Expression.
[[nodiscard]] detail::OptionalArgument
optionalArgumentNamed(const std::string& text,
                      const std::shared_ptr<const detail::DataframeNode>& node);

/// Returns a column whose values all exist. Throws Error(type) if some may be missing.
[[nodiscard]] detail::ColumnArgument
argumentNamed(const std::string& text, const std::shared_ptr<const detail::DataframeNode>& node);

} // namespace kaon
