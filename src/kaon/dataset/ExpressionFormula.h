#pragma once

#include <kaon/detail/dataset/Node.h>
#include <kaon/expression/Expression.h>

#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// What names mean in expressions after a node of a dataframe: first what was defined, then what
/// its dataset has.
class NodeScope final : public expression::Scope {
public:
  explicit NodeScope(const detail::Node& node);
  [[nodiscard]] expression::NameMeaning find(std::string_view name) const override;
  /// The name in expressions of a stored column: only there its values can be missing.
  [[nodiscard]] std::string nameOf(std::string_view stored) const;
  /// Whether a name is that of a part of an optional: of a member of a component that may be
  /// missing, "Hits.at.x", or of a presence, "Hits.time.has_value".
  [[nodiscard]] bool isInOptional(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const override;
  [[nodiscard]] std::string where() const override;
  [[nodiscard]] std::string whyUnread(std::string_view name) const override;

private:
  [[nodiscard]] expression::NameMeaning find(const detail::Node& node, std::string_view name) const;
  [[nodiscard]] static expression::OptionalName optionalOf(const detail::Node& step,
                                                           std::string_view name);
  [[nodiscard]] expression::NameMeaning reframed(const expression::OptionalName& optional,
                                                 const detail::Node& node) const;
  [[nodiscard]] expression::NameMeaning findInFrame(const detail::Node& node,
                                                    std::string_view name) const;
  [[nodiscard]] expression::NameMeaning findInDataset(std::string_view name) const;

  const detail::Node* m_node;
  expression::SchemaScope m_schema;
};

/// An expression as a formula, as a node knows its names. Throws as Expression does.
[[nodiscard]] detail::Formula formulaOf(const expression::Expression& expression,
                                        const detail::Node& node);

/// What may be missing in an expression.
[[nodiscard]] detail::Missing missingIn(const expression::Expression& expression);

/// Formulas of the bools that say where an expression has all that may be missing: of values, then
/// of lists. They are all true of what is never missing in it. Throws Error(type) for texts.
[[nodiscard]] std::vector<detail::Formula>
presenceFormulas(const expression::Expression& expression, const detail::Missing& missing,
                 const detail::Node& node);

/// What a formula is, as a column after a node.
/// @param name what it is called in messages
/// @param expression that it is: the same one after the same node is computed once
[[nodiscard]] detail::Argument argumentOf(detail::Formula formula, std::string name,
                                          const std::shared_ptr<const detail::Node>& node,
                                          std::string expression = {});

/// Whether a text is an expression that has values, and is no collection or component.
[[nodiscard]] bool hasValues(std::string_view text, const NodeScope& scope);

/// The column of a name after a node, or else what it is as an expression. Throws Error(name) with
/// a suggestion, Error(type), and as Expression does.
[[nodiscard]] detail::OptionalArgument
optionalArgumentNamed(const std::string& text, const std::shared_ptr<const detail::Node>& node);

/// Returns a column whose values all exist. Throws Error(type) if some may be missing.
[[nodiscard]] detail::Argument argumentNamed(const std::string& text,
                                             const std::shared_ptr<const detail::Node>& node);

} // namespace kaon
